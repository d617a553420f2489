import { describe, expect, it } from 'vitest';
import { readSessionOptions } from '../../../src/agents/acp/session-options.js';

const MODES = {
  currentModeId: 'ask',
  availableModes: [{ id: 'ask', name: 'Ask' }, { id: 'code' }],
};
const MODELS = { currentModelId: null, availableModels: [{ modelId: 'm(1)', name: 'm' }] };
const MODE_OPTION = {
  id: 'session-mode',
  category: 'mode',
  type: 'select',
  currentValue: 'build',
  options: [
    { value: 'build', name: 'Build' },
    { group: 'g', options: [{ value: 'plan' }] },
  ],
};

describe('the options of a new session', () => {
  it('are read from its modes and models', () => {
    expect(readSessionOptions({ modes: MODES, models: MODELS })).toEqual({
      mode: { offered: [{ id: 'ask', name: 'Ask' }, { id: 'code' }], current: 'ask' },
      model: { offered: [{ id: 'm(1)', name: 'm' }] },
    });
  });

  it('are read from config options, by category or by id, with values in groups', () => {
    const model = { id: 'model', currentValue: 'a/b', options: [{ value: 'a/b' }] };
    expect(readSessionOptions({ configOptions: [{ id: 1 }, model, MODE_OPTION] })).toEqual({
      mode: {
        offered: [{ id: 'build', name: 'Build' }, { id: 'plan' }],
        current: 'build',
        configId: 'session-mode',
      },
      model: { offered: [{ id: 'a/b' }], current: 'a/b', configId: 'model' },
    });
  });

  it('are read from a config option if there are modes too, as the protocol wants', () => {
    const { mode } = readSessionOptions({ modes: MODES, configOptions: [MODE_OPTION] });
    expect(mode?.configId).toBe('session-mode');
  });

  it('keep the models if the modes cannot be read', () => {
    const models = { availableModels: [{ modelId: 'm', name: 7 }], currentModelId: 7 };
    expect(readSessionOptions({ modes: 'odd', models })).toEqual({
      model: { offered: [{ id: 'm' }] },
    });
  });

  it.each([
    [undefined],
    [null],
    ['x'],
    [[]],
    [{}],
    [{ modes: null, models: null }],
    [{ modes: { x: 1 } }],
    [{ modes: 'none', models: [], configOptions: [7] }],
  ])('are empty for the answer %j', (answer) => {
    expect(readSessionOptions(answer)).toEqual({});
  });
});
