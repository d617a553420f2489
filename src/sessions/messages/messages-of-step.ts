import type {
  AgentEvent,
  ToolCompletionEvent,
  ToolInvocationEvent,
} from '../../api/agent-event.js';
import type { SessionMessage, SessionThought, SessionToolCall } from '../../api/session.js';
import { parseThought } from './thought.js';

/** The messages of a run: as the CLI recorded them, or until then as the events show them. */
export function messagesOfStep(events: readonly AgentEvent[]): readonly SessionMessage[] {
  const recorded = events.findLast(({ type }) => type === 'session-messages');
  if (recorded?.type === 'session-messages' && recorded.messages.length > 0) {
    return recorded.messages;
  }
  const live = new LiveMessages();
  for (const event of events) live.accept(event);
  return live.messages;
}

interface LiveTurn {
  /** Its place among the messages. */
  readonly index: number;
  readonly timestamp: string | undefined;
  text: string;
  readonly thoughts: SessionThought[];
  readonly calls: Map<string, SessionToolCall>;
  /** A turn is over when its tools have answered. */
  isAnswered: boolean;
}

/** Messages in the form of the session file, made from events: without tokens, and with ids of our own. */
class LiveMessages {
  readonly messages: SessionMessage[] = [];
  #sessionId = 'live';
  #model: string | undefined;
  #turn: LiveTurn | undefined;
  readonly #turnOfCall = new Map<string, LiveTurn>();

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'session-init':
        this.#sessionId = event.sessionId;
        this.#model = event.model;
        break;
      case 'user-input':
        this.#turn = undefined;
        this.messages.push({
          id: this.#idAt(this.messages.length),
          timestamp: event.timestamp,
          type: 'user',
          content: [{ text: event.text }],
        });
        break;
      case 'text':
      case 'text-delta':
        this.#say(event.text, event.textKind === 'thinking', event);
        break;
      case 'tool-invocation':
        this.#call(event);
        break;
      case 'tool-completion':
        this.#answer(event);
        break;
    }
  }

  #say(text: string, isThought: boolean, event: AgentEvent): void {
    const turn = this.#openTurn(event);
    if (isThought) turn.thoughts.push(parseThought(text));
    else turn.text += text;
    this.#write(turn);
  }

  #call(event: ToolInvocationEvent): void {
    const { callId: id, toolName: name, input: args, timestamp } = event;
    // Some agents tell of a call twice, the second time with more of its input.
    const turn = this.#turnOfCall.get(id) ?? this.#openTurn(event);
    turn.calls.set(id, { ...turn.calls.get(id), id, name, args, timestamp });
    this.#turnOfCall.set(id, turn);
    this.#write(turn);
  }

  /** A call that was never told of is known by its answer. */
  #answer(event: ToolCompletionEvent): void {
    const { callId: id, toolName: name = 'unknown', isError, output, error } = event;
    const turn = this.#turnOfCall.get(id) ?? this.#turn ?? this.#openTurn(event);
    const call = turn.calls.get(id) ?? { id, name };
    const response = isError ? { error: error?.message ?? output ?? '' } : { output: output ?? '' };
    const result = [{ functionResponse: { id, name: call.name, response } }];
    turn.calls.set(id, { ...call, status: isError ? 'error' : 'success', result });
    this.#turnOfCall.set(id, turn);
    turn.isAnswered = true;
    this.#write(turn);
  }

  #openTurn({ timestamp }: AgentEvent): LiveTurn {
    if (this.#turn !== undefined && !this.#turn.isAnswered) return this.#turn;
    this.#turn = {
      index: this.messages.length,
      timestamp,
      text: '',
      thoughts: [],
      calls: new Map(),
      isAnswered: false,
    };
    return this.#turn;
  }

  #write({ index, timestamp, text, thoughts, calls }: LiveTurn): void {
    this.messages[index] = {
      id: this.#idAt(index),
      timestamp,
      type: 'gemini',
      content: text,
      thoughts,
      model: this.#model,
      ...(calls.size === 0 ? {} : { toolCalls: [...calls.values()] }),
    };
  }

  #idAt(index: number): string {
    return `${this.#sessionId}-${index + 1}`;
  }
}
