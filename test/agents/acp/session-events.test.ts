import { describe, expect, it } from 'vitest';
import { eventsOfSession } from '../../../src/agents/acp/session-events.js';
import { readSessionOptions } from '../../../src/agents/acp/session-options.js';

const identity = { protocolVersion: 1, name: 'Agent', capabilities: { loadSession: true } };

function open(answer: object, model?: string) {
  const session = { id: 's', answer, options: readSessionOptions(answer), process: { identity } };
  return eventsOfSession(session, model);
}

describe('the events of a new session', () => {
  const configOptions = [
    {
      id: 'mode',
      category: 'mode',
      currentValue: 'ask',
      options: [{ value: 'ask', name: 'Ask' }, { value: 'code' }],
    },
    { id: 'm', category: 'model', currentValue: 'large', options: [{ value: 'large' }] },
    { id: 'effort', category: 'thought_level', currentValue: 'low', options: [{ value: 'low' }] },
  ];

  it('tell agent, models, options and modes that the answer to session/new offers', () => {
    const answer = { sessionId: 's', configOptions };
    expect(open(answer)).toEqual([
      {
        type: 'session-init',
        raw: answer,
        sessionId: 's',
        model: 'large',
        models: [{ id: 'large', name: undefined }],
        agent: identity,
      },
      { type: 'config-options', options: configOptions },
      {
        type: 'session-mode',
        modeId: 'ask',
        modes: [
          { id: 'ask', name: 'Ask' },
          { id: 'code', name: undefined },
        ],
      },
    ]);
  });

  it('name the configured model, and nothing that is not offered', () => {
    expect(open({ sessionId: 's' }, 'small')).toMatchObject([
      { type: 'session-init', model: 'small', agent: identity },
    ]);
    expect(open({ sessionId: 's' })).toHaveLength(1);
  });
});
