import type {
  AgentEvent,
  TextDeltaEvent,
  TextEvent,
  UserInputEvent,
} from '../../api/agent-event.js';
import type { ContentEvent } from '../../api/content-event.js';
import type { SessionMessage, SessionToolCall } from '../../api/session.js';
import type {
  ToolCompletionEvent,
  ToolContent,
  ToolInvocationEvent,
  ToolUpdateEvent,
} from '../../api/tool-event.js';
import { parseThought } from './thought.js';

/** Name of the Gemini CLI in unified messages. */
export const GEMINI_TOOL = 'gemini';

interface LiveAnswer {
  readonly timestamp: string | undefined;
  readonly model: string | undefined;
  text: string;
  /** Images and other media of the answer, as parts of the Gemini API. */
  readonly media: object[];
  /** Texts of the thoughts. */
  readonly thoughts: string[];
  /** True if the next piece of a thought continues the last one. */
  isThoughtOpen: boolean;
  readonly calls: Map<string, SessionToolCall>;
  /** True after the first tool result: later text belongs to the next answer. */
  hasToolResults: boolean;
}

/**
 * Collects the messages of a step from its events: those that the CLI recorded, or until then messages in the form of the
 * session file that are built from the events. They have generated ids and no tokens.
 */
export class StepMessages {
  readonly #live: (UserInputEvent | LiveAnswer)[] = [];
  #recorded: readonly SessionMessage[] = [];
  #sessionId = 'live';
  #model: string | undefined;
  #tool = GEMINI_TOOL;
  #current: LiveAnswer | undefined;
  readonly #answerOfCall = new Map<string, LiveAnswer>();

  /** Name of the agent. The Gemini CLI names itself over ACP alone, and each agent without a name is called `agent`. */
  get tool(): string {
    return this.#recorded.length > 0 ? GEMINI_TOOL : this.#tool;
  }

  get messages(): readonly SessionMessage[] {
    if (this.#recorded.length > 0) return this.#recorded;
    return this.#live.map((message, index) => {
      const id = `${this.#sessionId}-${index + 1}`;
      return { id, ...('calls' in message ? toAnswer(message) : toPrompt(message)) };
    });
  }

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'session-init':
        this.#sessionId = event.sessionId;
        this.#model = event.model;
        this.#tool = nameAgent(event);
        break;
      case 'session-messages':
        this.#recorded = event.messages;
        break;
      case 'user-input':
        this.#current = undefined;
        this.#live.push(event);
        break;
      case 'text':
      case 'text-delta':
        // The text of a sub-agent is part of its tool call, not of the answer.
        if (event.parentCallId === undefined) this.#addText(event);
        break;
      case 'content':
        if (event.parentCallId === undefined) this.#addContent(event);
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
  }

  #addContent(event: ContentEvent): void {
    const answer = this.#openAnswer(event);
    answer.media.push(...toMedia(event.content));
    answer.isThoughtOpen = false;
  }

  #updateCall({ callId: id, input: args }: ToolUpdateEvent): void {
    const answer = this.#answerOfCall.get(id);
    const call = answer?.calls.get(id);
    if (call !== undefined) answer?.calls.set(id, { ...call, args });
  }

  #addCall(event: ToolInvocationEvent): void {
    const { callId: id, toolName: name, input: args, timestamp } = event;
    // Some agents report a call twice, the second time with more input.
    const answer = this.#answerOfCall.get(id) ?? this.#openAnswer(event);
    answer.isThoughtOpen = false;
    answer.calls.set(id, { ...answer.calls.get(id), id, name, args, timestamp });
    this.#answerOfCall.set(id, answer);
  }

  /** Adds the result of a call. A call without an earlier event is created from its result. */
  #addResult(event: ToolCompletionEvent): void {
    const { callId: id, toolName: name = 'unknown', isError, output, error, content = [] } = event;
    const answer = this.#answerOfCall.get(id) ?? this.#current ?? this.#openAnswer(event);
    const call = answer.calls.get(id) ?? { id, name };
    const response = isError
      ? { error: error?.message ?? output ?? '' }
      : { output: describeResult(event) };
    const result = [
      { functionResponse: { id, name: call.name, response } },
      ...content.flatMap(toMedia),
    ];
    answer.calls.set(id, { ...call, status: isError ? 'error' : 'success', result });
    this.#answerOfCall.set(id, answer);
    answer.hasToolResults = true;
  }

  #openAnswer({ timestamp }: AgentEvent): LiveAnswer {
    if (this.#current !== undefined && !this.#current.hasToolResults) return this.#current;
    this.#current = {
      timestamp,
      model: this.#model,
      text: '',
      media: [],
      thoughts: [],
      isThoughtOpen: false,
      calls: new Map(),
      hasToolResults: false,
    };
    this.#live.push(this.#current);
    return this.#current;
  }
}

function nameAgent({ agent }: Extract<AgentEvent, { type: 'session-init' }>): string {
  if (agent === undefined || /^gemini/i.test(agent.name ?? '')) return GEMINI_TOOL;
  return agent.name ?? 'agent';
}

/** Returns the output of a call. An agent may show a diff or a terminal in place of a text. */
function describeResult({ output, derived }: ToolCompletionEvent): string {
  const text = output ?? derived?.commandOutput;
  const { diff } = derived ?? {};
  const isShown = diff === undefined || text?.includes(diff) === true;
  return [text, isShown ? undefined : diff].filter((part) => part !== undefined).join('\n');
}

/** Returns media as a part of the Gemini API. Empty for other blocks. */
function toMedia(block: ToolContent): object[] {
  if (block.type !== 'image' && block.type !== 'audio') return [];
  return [{ inlineData: { mimeType: block.mimeType, data: block.data } }];
}

function toPrompt({ timestamp, text }: UserInputEvent) {
  return { timestamp, type: 'user', content: [{ text }] };
}

function toAnswer({ timestamp, text, media, thoughts, model, calls }: LiveAnswer) {
  return {
    timestamp,
    type: 'gemini',
    content: media.length === 0 ? text : [...(text === '' ? [] : [{ text }]), ...media],
    thoughts: thoughts.map(parseThought),
    model,
    ...(calls.size === 0 ? {} : { toolCalls: [...calls.values()] }),
  };
}

/** Adds a thought, or a piece to the last thought: pieces in a row are one thought. */
function addThought(answer: LiveAnswer, { type, text }: TextEvent | TextDeltaEvent): void {
  const isPiece = type === 'text-delta';
  if (isPiece && answer.isThoughtOpen)
    answer.thoughts.push(`${answer.thoughts.pop() ?? ''}${text}`);
  else answer.thoughts.push(text);
  answer.isThoughtOpen = isPiece;
}
