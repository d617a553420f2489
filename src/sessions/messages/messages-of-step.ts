import type { AgentEvent, TextDeltaEvent, TextEvent } from '../../api/agent-event.js';
import type { SessionMessage, SessionToolCall } from '../../api/session.js';
import type {
  ToolCompletionEvent,
  ToolInvocationEvent,
  ToolUpdateEvent,
} from '../../api/tool-event.js';
import { parseThought } from './thought.js';

/** Returns the messages of a step: those that the CLI recorded, or until then messages built from the events. */
export function messagesOfStep(events: readonly AgentEvent[]): readonly SessionMessage[] {
  const recorded = events.findLast(({ type }) => type === 'session-messages');
  if (recorded?.type === 'session-messages' && recorded.messages.length > 0) {
    return recorded.messages;
  }
  const live = new LiveMessages();
  for (const event of events) live.accept(event);
  return live.messages;
}

interface LiveAnswer {
  /** Index among the messages. */
  readonly index: number;
  readonly timestamp: string | undefined;
  text: string;
  /** Texts of the thoughts. */
  readonly thoughts: string[];
  /** True if the next piece of a thought continues the last one. */
  isThoughtOpen: boolean;
  readonly calls: Map<string, SessionToolCall>;
  /** True after the first tool result: later text belongs to the next answer. */
  hasToolResults: boolean;
}

/** Builds messages in the form of the session file from events. They have generated ids and no tokens. */
class LiveMessages {
  readonly messages: SessionMessage[] = [];
  #sessionId = 'live';
  #model: string | undefined;
  #current: LiveAnswer | undefined;
  readonly #answerOfCall = new Map<string, LiveAnswer>();

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'session-init':
        this.#sessionId = event.sessionId;
        this.#model = event.model;
        break;
      case 'user-input':
        this.#current = undefined;
        this.messages.push({
          id: this.#idAt(this.messages.length),
          timestamp: event.timestamp,
          type: 'user',
          content: [{ text: event.text }],
        });
        break;
      case 'text':
      case 'text-delta':
        // The text of a sub-agent is part of its tool call, not of the answer.
        if (event.parentCallId === undefined) this.#addText(event);
        break;
      case 'tool-invocation':
        this.#addCall(event);
        break;
      case 'tool-update':
        this.#updateCall(event);
        break;
      case 'tool-completion':
        this.#addResult(event);
        break;
    }
  }

  #addText(event: TextEvent | TextDeltaEvent): void {
    const answer = this.#openAnswer(event);
    if (event.textKind === 'thinking') addThought(answer, event);
    else {
      answer.text += event.text;
      answer.isThoughtOpen = false;
    }
    this.#write(answer);
  }

  #updateCall({ callId: id, input: args }: ToolUpdateEvent): void {
    const answer = this.#answerOfCall.get(id);
    const call = answer?.calls.get(id);
    if (answer === undefined || call === undefined) return;
    answer.calls.set(id, { ...call, args });
    this.#write(answer);
  }

  #addCall(event: ToolInvocationEvent): void {
    const { callId: id, toolName: name, input: args, timestamp } = event;
    // Some agents report a call twice, the second time with more input.
    const answer = this.#answerOfCall.get(id) ?? this.#openAnswer(event);
    answer.isThoughtOpen = false;
    answer.calls.set(id, { ...answer.calls.get(id), id, name, args, timestamp });
    this.#answerOfCall.set(id, answer);
    this.#write(answer);
  }

  /** Adds the result of a call. A call without an earlier event is created from its result. */
  #addResult(event: ToolCompletionEvent): void {
    const { callId: id, toolName: name = 'unknown', isError, output, error } = event;
    const answer = this.#answerOfCall.get(id) ?? this.#current ?? this.#openAnswer(event);
    const call = answer.calls.get(id) ?? { id, name };
    const response = isError ? { error: error?.message ?? output ?? '' } : { output: output ?? '' };
    const result = [{ functionResponse: { id, name: call.name, response } }];
    answer.calls.set(id, { ...call, status: isError ? 'error' : 'success', result });
    this.#answerOfCall.set(id, answer);
    answer.hasToolResults = true;
    this.#write(answer);
  }

  #openAnswer({ timestamp }: AgentEvent): LiveAnswer {
    if (this.#current !== undefined && !this.#current.hasToolResults) return this.#current;
    this.#current = {
      index: this.messages.length,
      timestamp,
      text: '',
      thoughts: [],
      isThoughtOpen: false,
      calls: new Map(),
      hasToolResults: false,
    };
    return this.#current;
  }

  #write({ index, timestamp, text, thoughts, calls }: LiveAnswer): void {
    this.messages[index] = {
      id: this.#idAt(index),
      timestamp,
      type: 'gemini',
      content: text,
      thoughts: thoughts.map(parseThought),
      model: this.#model,
      ...(calls.size === 0 ? {} : { toolCalls: [...calls.values()] }),
    };
  }

  #idAt(index: number): string {
    return `${this.#sessionId}-${index + 1}`;
  }
}

/** Adds a thought, or a piece to the last thought: pieces in a row are one thought. */
function addThought(answer: LiveAnswer, { type, text }: TextEvent | TextDeltaEvent): void {
  const isPiece = type === 'text-delta';
  if (isPiece && answer.isThoughtOpen)
    answer.thoughts.push(`${answer.thoughts.pop() ?? ''}${text}`);
  else answer.thoughts.push(text);
  answer.isThoughtOpen = isPiece;
}
