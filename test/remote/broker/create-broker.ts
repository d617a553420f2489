import { vi } from 'vitest';
import { ApprovalBroker, type RequestDraft } from '../../../src/remote/broker/approval-broker.js';

/** Returns the draft of a request about a shell command. */
export const draftOf = (changes: Partial<RequestDraft> = {}): RequestDraft => ({
  sessionId: 's',
  kind: 'tool',
  toolName: 'run_shell_command',
  title: 'npm test',
  input: { command: 'npm test' },
  command: 'npm test',
  questions: [],
  options: [],
  isDenyOnly: false,
  reasonWay: 'refusal' as const,
  ...changes,
});

/** Creates a broker whose log keeps nothing. */
export function createBroker() {
  const log = { opened: vi.fn(), closed: vi.fn(async () => {}), settled: vi.fn(), ruled: vi.fn() };
  const broker = new ApprovalBroker(log);
  const never = new AbortController().signal;
  const ask = (changes?: Partial<RequestDraft>, signal = never) => {
    const answer = broker.ask(draftOf(changes), signal);
    const request = broker.list().at(-1);
    return { answer, request };
  };
  const idOf = (request: { id: string } | undefined): string => request?.id ?? '';
  return { broker, log, ask, idOf };
}
