import type { SessionMessage, SessionToolCall } from '../../api/session.js';
import { fieldOf, functionResponsesOf } from './message-text.js';

/** A tool call that the CLI refused, read from the tool answer to the model. */
export interface RefusedCall {
  readonly id: string;
  readonly name: string;
  /** Arguments of the call. Empty if the CLI did not record the call. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly error: {
    readonly type: 'tool_not_registered' | 'policy_violation';
    readonly message: string;
  };
}

const REFUSALS: readonly (readonly [RegExp, RefusedCall['error']['type']])[] = [
  [/not found in registry/, 'tool_not_registered'],
  [/denied by policy/, 'policy_violation'],
  // A sub-agent has fewer tools than the main agent.
  [/^Unauthorized tool call: /, 'tool_not_registered'],
  [/requires user confirmation, which is not supported/, 'policy_violation'],
];

/** Finds the refused calls of a turn. Over ACP, only the session file has them: the client gets no message about them. */
export function findRefusedCalls(
  messages: readonly SessionMessage[],
  calls: readonly SessionToolCall[],
): RefusedCall[] {
  const inputs = new Map(calls.map(({ id, args }) => [id, args ?? {}]));
  const answers = messages.filter(({ type }) => type === 'user').flatMap(functionResponsesOf);
  return answers.flatMap((answer) => readRefusal(answer, inputs));
}

function readRefusal(
  answer: object,
  inputs: ReadonlyMap<string, RefusedCall['input']>,
): RefusedCall[] {
  const [id, name] = [fieldOf(answer, 'id'), fieldOf(answer, 'name')];
  const message = fieldOf(fieldOf(answer, 'response'), 'error');
  if (typeof id !== 'string' || typeof name !== 'string' || typeof message !== 'string') return [];
  const type = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
  if (type === undefined) return [];
  return [{ id, name, input: inputs.get(id) ?? {}, error: { type, message } }];
}
