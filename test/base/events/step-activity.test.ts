import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { describeActivity } from '../../../src/base/events/step-activity.js';

const folder = resolve('/repo');
function call(more: object): AgentEvent {
  const kind = { toolName: 'write_file', kind: 'edit', category: 'file-write' } as const;
  return { type: 'tool-invocation', callId: '1', ...kind, input: {}, ...more };
}

function retry(more: object): AgentEvent {
  const message = 'Attempt failed: {"error"';
  return { type: 'session-status', status: 'retrying', message, ...more };
}

it.each<[string, AgentEvent, string | undefined]>([
  ['a path in the folder', call({ locations: [join(folder, 'src/a.ts')] }), 'write_file src/a.ts'],
  ['a relative path', call({ locations: ['src/a.ts'] }), 'write_file src/a.ts'],
  ['a path outside', call({ locations: [resolve('/etc/x')] }), `write_file ${resolve('/etc/x')}`],
  ['the folder itself', call({ locations: [folder] }), `write_file ${folder}`],
  ['a command', call({ toolName: 'sh', input: { command: 'npm test' } }), 'sh npm test'],
  ['no subject', call({ input: { command: 3 } }), 'write_file'],
  ['the prompt', { type: 'user-input', text: '', isSynthetic: false }, 'waiting for the model'],
  ['a thought', { type: 'text-delta', text: '', textKind: 'thinking' }, 'thinking'],
  ['an answer', { type: 'text-delta', text: '', textKind: 'text' }, 'writing'],
  ['a remark', { type: 'session-status', status: 'warning', message: 'hm' }, 'hm'],
  [
    'a retry of the CLI',
    retry({ httpStatus: 503, attempt: 4 }),
    'HTTP 503, the CLI tries again (4)',
  ],
  ['a wait that the API named', retry({ delayMs: 9 }), 'rate limited, the CLI tries again'],
  [
    'such a wait of some step of the process',
    retry({ delayMs: 9, ofProcess: true }),
    'waiting for the model (rate limit on its process)',
  ],
  ['a rate limit', retry({ httpStatus: 429 }), 'rate limited, the CLI tries again'],
  ['a retry of the network', retry({}), 'Attempt failed: {"error"'],
  [
    'a retry of some step of the process',
    retry({ httpStatus: 429, attempt: 1, ofProcess: true }),
    'waiting for the model (rate limit on its process)',
  ],
  ['the session', { type: 'session-init', sessionId: 's' }, undefined],
])('describeActivity describes %s', (_, event, text) => {
  expect(describeActivity(event, [resolve('/link'), folder])).toBe(text);
});

it('describeActivity shows a path as it is if no folder is known', () => {
  const path = join(folder, 'a');
  expect(describeActivity(call({ locations: [path] }))).toBe(`write_file ${path}`);
});
