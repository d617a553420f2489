import { describe, expect, it } from 'vitest';
import { readLocations, readSessionOffer, readText, toList } from '../../src/acp/wire.js';

describe('what a session offers', () => {
  it('are modes and models, each with the present one', () => {
    const response = {
      sessionId: 's',
      modes: { availableModes: [{ id: 'a', name: 'A' }, { id: 'b' }], currentModeId: 'a' },
      models: { availableModels: [{ modelId: 'm' }], currentModelId: 'm' },
    };
    expect(readSessionOffer(response)).toEqual({
      modes: ['a', 'b'],
      currentMode: 'a',
      models: ['m'],
      currentModel: 'm',
    });
  });

  it.each([undefined, null, 'x', [], {}, { modes: null, models: null }, { modes: { x: 1 } }])(
    'is nothing where the answer is %j',
    (response) => {
      expect(readSessionOffer(response)).toEqual({
        modes: [],
        currentMode: undefined,
        models: undefined,
        currentModel: undefined,
      });
    },
  );

  it('loses nothing by the half that cannot be read', () => {
    const models = { availableModels: [{ modelId: 'm' }], currentModelId: 7 };
    expect(readSessionOffer({ modes: 'odd', models })).toMatchObject({
      modes: [],
      models: ['m'],
      currentModel: undefined,
    });
  });
});

describe('a part of an update', () => {
  it('is a text only where it says so, or says nothing', () => {
    expect(readText({ type: 'text', text: 'x' })).toBe('x');
    expect(readText({ text: 'x' })).toBe('x');
    for (const block of [
      { type: 'image', text: 'x' },
      { type: 'text' },
      'x',
      null,
      [],
      undefined,
    ]) {
      expect(readText(block)).toBeUndefined();
    }
  });

  it('names paths plainly or as objects', () => {
    expect(readLocations(['/a', { path: '/b', line: 1 }, { uri: 'c' }, 7, null])).toEqual([
      '/a',
      '/b',
    ]);
    expect(readLocations({ path: '/a' })).toEqual(['/a']);
    expect(readLocations(undefined)).toEqual([]);
  });

  it('is a list, or the only element of one', () => {
    expect([toList(undefined), toList(null), toList([1]), toList('x')]).toEqual([
      [],
      [],
      [1],
      ['x'],
    ]);
  });
});
