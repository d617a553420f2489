import type {
  AgentEvent,
  ToolCompletionEvent,
  ToolInvocationEvent,
} from '../contract/agent-event.js';
import type { SessionMessage, SessionThought, SessionToolCall } from '../contract/session.js';

/** The messages of a run: as the CLI recorded them, or until then as the events show them. */
export function messagesOfRun(events: readonly AgentEvent[]): readonly SessionMessage[] {
  const recorded = events.findLast(({ type }) => type === 'session-messages');
  if (recorded?.type === 'session-messages') return recorded.messages;
  const fold = new LiveMessages();
  for (const event of events) fold.accept(event);
  return fold.messages;
}

interface LiveTurn {
  readonly id: string;
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

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'session-init':
        this.#sessionId = event.sessionId;
        this.#model = event.model;
        break;
      case 'user-input':
        this.#turn = undefined;
        this.messages.push({
          ...this.#identity(event),
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
    if (isThought) turn.thoughts.push({ description: text });
    else turn.text += text;
    this.#write(turn);
  }

  #call(event: ToolInvocationEvent): void {
    const { callId: id, toolName: name, input: args, timestamp } = event;
    const turn = this.#openTurn(event);
    turn.calls.set(id, { id, name, args, timestamp });
    this.#write(turn);
  }

  #answer({ callId, toolName, isError, output, error }: ToolCompletionEvent): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const call = turn.calls.get(callId) ?? { id: callId, name: toolName ?? 'unknown' };
    const response = isError ? { error: error?.message ?? output ?? '' } : { output: output ?? '' };
    const result = [{ functionResponse: { id: callId, name: call.name, response } }];
    turn.calls.set(callId, { ...call, status: isError ? 'error' : 'success', result });
    turn.isAnswered = true;
    this.#write(turn);
  }

  #openTurn(event: AgentEvent): LiveTurn {
    if (this.#turn !== undefined && !this.#turn.isAnswered) return this.#turn;
    this.#turn = {
      ...this.#identity(event),
      text: '',
      thoughts: [],
      calls: new Map(),
      isAnswered: false,
    };
    return this.#turn;
  }

  #write({ id, timestamp, text, thoughts, calls }: LiveTurn): void {
    const message: SessionMessage = {
      id,
      timestamp,
      type: 'gemini',
      content: text,
      thoughts,
      model: this.#model,
      ...(calls.size === 0 ? {} : { toolCalls: [...calls.values()] }),
    };
    const isKnown = this.messages.at(-1)?.id === id;
    this.messages.splice(isKnown ? -1 : this.messages.length, 1, message);
  }

  #identity({ timestamp }: AgentEvent): { id: string; timestamp: string | undefined } {
    return { id: `${this.#sessionId}-${this.messages.length + 1}`, timestamp };
  }
}
