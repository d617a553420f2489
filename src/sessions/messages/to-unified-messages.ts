import type { AgentEvent } from '../../api/agent-event.js';
import type { Session, SessionMessage } from '../../api/session.js';
import type { UnifiedMessage, UnifyOptions } from '../../api/unified-message.js';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { isObject } from '../../base/json/is-object.js';
import { acceptUnifyOptions } from '../session-input.js';
import { RecordedCalls } from './recorded-calls.js';
import { GEMINI_TOOL, StepMessages } from './step-messages.js';
import { markOf, toUnifiedMessage } from './to-unified-message.js';

/** Most messages or events. No session and no step has a million. */
const MOST_ITEMS = 1_000_000;

/**
 * Converts a session, its messages, or the events of a step to Claude-style messages. The last but one event of a step
 * has the messages that the Gemini CLI recorded, so that events and session file give the same result.
 */
export function toUnifiedMessages(
  source: Session | Iterable<SessionMessage> | Iterable<AgentEvent>,
  options: UnifyOptions = {},
): UnifiedMessage[] {
  const checked = acceptUnifyOptions(options);
  return readInput('session', () => unifyMessages(readSource(source), checked));
}

/** Converts messages of a session or a step. Their agent is named in each of them. */
export function unifyMessages(
  { messages, tool }: Pick<StepMessages, 'messages' | 'tool'>,
  options: UnifyOptions = {},
): UnifiedMessage[] {
  const calls = recordedCalls(messages);
  const unified = messages.map((message) => toUnifiedMessage(message, calls, tool));
  return options.extras === 'mark' ? unified : unified.filter(({ mark }) => mark === undefined);
}

/** Counts the unified messages of a session without building them. */
export function countUnifiedMessages(messages: readonly SessionMessage[]): number {
  const calls = recordedCalls(messages);
  return messages.filter((message) => markOf(message, calls) === undefined).length;
}

function recordedCalls(messages: readonly SessionMessage[]): RecordedCalls {
  const calls = new RecordedCalls();
  for (const message of messages) calls.add(message);
  return calls;
}

function readSource(
  source: Session | Iterable<SessionMessage> | Iterable<AgentEvent>,
): Pick<StepMessages, 'messages' | 'tool'> {
  if (typeof source !== 'object' || source === null) throw noSession(source);
  const items = takeItems('messages' in source ? source.messages : source);
  const messages = items.filter((item): item is SessionMessage => 'id' in item && 'type' in item);
  if (messages.length === items.length) return { messages, tool: GEMINI_TOOL };
  const step = new StepMessages();
  for (const item of items) if (isEvent(item)) step.accept(item);
  return step;
}

/** Copies the items of a list. An endless list, or one of holes, is refused before it fills the memory. */
function takeItems(
  source: Iterable<SessionMessage> | Iterable<AgentEvent>,
): (SessionMessage | AgentEvent)[] {
  if (typeof source?.[Symbol.iterator] !== 'function') throw noSession(source);
  const items: (SessionMessage | AgentEvent)[] = [];
  for (const item of source) {
    if (!isObject(item)) throw noSession(item);
    if (items.length === MOST_ITEMS) {
      throw invalidInput('session', `a list of at most ${MOST_ITEMS} messages or events`, source);
    }
    items.push(item);
  }
  return items;
}

function noSession(value: unknown) {
  return invalidInput('session', 'a session, a list of messages, or a list of events', value);
}

function isEvent(item: SessionMessage | AgentEvent): item is AgentEvent {
  return !('id' in item);
}
