import type { AgentEvent } from '../../api/agent-event.js';
import type { Session, SessionMessage } from '../../api/session.js';
import type { UnifiedMessage, UnifyOptions } from '../../api/unified-message.js';
import { messagesOfStep } from './messages-of-step.js';
import { RecordedCalls } from './recorded-calls.js';
import { markOf, toUnifiedMessage } from './to-unified-message.js';

/**
 * Converts a session, its messages, or the events of a step to Claude-style messages. The last but one event of a step
 * has the messages that the Gemini CLI recorded, so that events and session file give the same result.
 */
export function toUnifiedMessages(
  source: Session | Iterable<SessionMessage> | Iterable<AgentEvent>,
  options: UnifyOptions = {},
): UnifiedMessage[] {
  const messages = messagesOf(source);
  const calls = recordedCalls(messages);
  const unified = messages.map((message) => toUnifiedMessage(message, calls));
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

function messagesOf(
  source: Session | Iterable<SessionMessage> | Iterable<AgentEvent>,
): readonly SessionMessage[] {
  if ('messages' in source) return source.messages;
  const items: (SessionMessage | AgentEvent)[] = [...source];
  const messages = items.filter((item): item is SessionMessage => 'id' in item && 'type' in item);
  return messages.length === items.length ? messages : messagesOfStep(items.filter(isEvent));
}

function isEvent(item: SessionMessage | AgentEvent): item is AgentEvent {
  return !('id' in item);
}
