import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { NO_TOKENS } from '../../../src/base/usage/token-counts.js';
import { PartMapper } from '../../../src/engines/ai-sdk/part-mapper.js';

const CALL = {
  ...{ prompt: 'go', context: {}, options: {}, warnings: [] },
  ...{ isJson: false, includesRaw: false },
};
const tool = { callId: 'c', kind: 'edit', category: 'file-write', input: {} } as const;

/** Events whose content is in the result at the end, or that the AI SDK has no part for. */
const SILENT: readonly AgentEvent[] = [
  { type: 'content', textKind: 'text', content: { type: 'image', mimeType: 'a/b', data: '' } },
  {
    ...tool,
    type: 'permission-request',
    requestId: '1',
    toolName: 'x',
    options: [],
    decision: 'reject',
  },
  { type: 'plan', entries: [] },
  { type: 'config-options', options: [] },
  { type: 'available-commands', commands: [] },
  { type: 'session-mode', modeId: 'plan' },
  { type: 'session-info', title: 'A title' },
  { type: 'usage-update', usage: { ...NO_TOKENS, models: {}, toolCalls: 0 } },
  { type: 'file-change', path: 'a', kind: 'created', callId: 'c', toolName: 'write_file' },
  { type: 'file-access', access: 'read', path: '/a' },
  { type: 'terminal', terminalId: 't', state: 'started', command: 'ls' },
  { type: 'session-messages', messages: [] },
  { type: 'unknown', raw: {} },
  { type: 'user-input', text: 'of the CLI', isSynthetic: true },
  { type: 'user-input', text: 'the first prompt', isSynthetic: false },
  { type: 'session-status', status: 'warning', message: 'mind this' },
];

describe('an event that the AI SDK has no part for', () => {
  it.each(SILENT.map((event) => [event.type, event] as const))(
    'yields none: %s',
    (_type, event) => {
      expect(new PartMapper('m', CALL).accept(event)).toEqual([]);
    },
  );
});

describe('the beginning of a session', () => {
  it('has the model and the time of the event, else those of the call and of now', () => {
    const timestamp = '2026-11-16T00:00:00.000Z';
    const at = new Date(timestamp);
    const known = { type: 'session-init', sessionId: 's', model: 'pro', timestamp } as const;
    expect(new PartMapper('m', CALL).accept(known)).toEqual([
      { type: 'response-metadata', id: 's', modelId: 'pro', timestamp: at },
    ]);
    const unknown = { type: 'session-init', sessionId: 's' } as const;
    expect(new PartMapper('m', CALL).accept(unknown)).toEqual([
      { type: 'response-metadata', id: 's', modelId: 'm', timestamp: expect.any(Date) },
    ]);
  });
});

describe('a retry', () => {
  it('counts if the request to the API was repeated, and not if its process was shared', () => {
    const mapper = new PartMapper('m', CALL);
    const retry = { type: 'session-status', status: 'retrying', message: 'again' } as const;
    mapper.accept(retry);
    mapper.accept({ ...retry, ofProcess: true });
    expect(mapper.facts.apiRetries).toBe(1);
  });
});
