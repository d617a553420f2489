import { describe, expect, it } from 'vitest';
import type { RemoteEntryContent, RemotePromptEntry } from '../../../src/api/remote-entry.js';
import type { RemoteRequest, RemoteRule } from '../../../src/api/remote-request.js';
import { LogFold, titleOf } from '../../../src/remote/session/restored-facts.js';

const REQUEST: RemoteRequest = {
  ...{ id: 'r', sessionId: 's', kind: 'tool', toolName: 'x', title: 'x', input: {} },
  ...{ inputHash: 'h', questions: [], options: [], isDenyOnly: false, reasonWay: 'none' },
  createdAt: '',
};
const RULE: RemoteRule = { id: 'one', sessionId: 's', toolName: 'x', by: 'phone', createdAt: '' };
const promptOf = (promptId: string, status: RemotePromptEntry['status']): RemotePromptEntry => ({
  ...{ type: 'prompt', promptId, text: 'x', status, by: 'phone' },
});

function fold(contents: readonly RemoteEntryContent[]): LogFold {
  const folded = new LogFold();
  for (const [index, content] of contents.entries())
    folded.accept({ seq: index + 1, at: `time ${index + 1}`, source: 'server', content });
  return folded;
}

describe('LogFold', () => {
  it('keeps the last value of each fact, and the first title', () => {
    const userOf = (messageId: string, text: string): RemoteEntryContent => ({
      ...{ type: 'message', messageId, role: 'user', blocks: [{ type: 'text', text }] },
    });
    const { facts } = fold([
      { type: 'driver', driver: 'tmux', cliSessionId: 'a' },
      { type: 'driver', driver: 'acp' },
      { type: 'model', model: 'first' },
      { type: 'model', model: 'second' },
      { type: 'mode', mode: 'plan' },
      userOf('1', ' '),
      userOf('2', 'the title'),
      userOf('3', 'no title'),
      { type: 'usage', tokens: 5, costUsd: 1 },
      { type: 'usage', tokens: 7 },
      { type: 'notice', level: 'info', message: 'x' },
    ]);
    expect(facts).toEqual({
      ...{ cliSessionId: 'a', model: 'second', mode: 'plan', title: 'the title', tokens: 7 },
      ...{ costUsd: undefined, updatedAt: 'time 11' },
    });
  });

  it('tells what was left undone: open requests, rules that hold, and the last state of prompts', () => {
    const { openRequests, rules, prompts } = fold([
      { type: 'request', request: REQUEST },
      { type: 'request', request: { ...REQUEST, id: 'open' } },
      { type: 'decision', requestId: 'r', outcome: 'desk' },
      { type: 'rule', rule: RULE, isRevoked: false },
      { type: 'rule', rule: { ...RULE, id: 'two' }, isRevoked: false },
      { type: 'rule', rule: RULE, isRevoked: true },
      promptOf('a', 'queued'),
      promptOf('b', 'queued'),
      promptOf('a', 'sent'),
    ]);
    expect(openRequests).toEqual(['open']);
    expect(rules.map(({ id }) => id)).toEqual(['two']);
    expect(prompts.map(({ promptId, status }) => [promptId, status])).toEqual([
      ['a', 'sent'],
      ['b', 'queued'],
    ]);
  });

  it('knows a request that is open again because its answer was not written', () => {
    const request = { type: 'request', request: REQUEST } as const;
    const decision = { type: 'decision', requestId: 'r', outcome: 'decided' } as const;
    expect(fold([request, decision, request]).openRequests).toEqual(['r']);
  });
});

describe('titleOf', () => {
  const message = { type: 'message', messageId: 'm', role: 'user' } as const;

  it('is the first text of a person on one line, cut after 200 characters', () => {
    const thought = { type: 'thought', text: 'hm' } as const;
    const text = { type: 'text', text: `  fix\t\n it ${'x'.repeat(300)}` } as const;
    const title = titleOf({ ...message, blocks: [thought, text] });
    expect(title).toMatch(/^fix it x+$/);
    expect(title).toHaveLength(200);
  });

  it('is none for other entries', () => {
    expect(titleOf({ ...message, blocks: [] })).toBeUndefined();
    const answer = { ...message, role: 'assistant' as const };
    expect(titleOf({ ...answer, blocks: [{ type: 'text', text: 'x' }] })).toBeUndefined();
    expect(titleOf({ type: 'mode', mode: 'plan' })).toBeUndefined();
  });
});
