import type { AgentEvent } from '../../api/agent-event.js';
import type { ToolKind } from '../../api/tool.js';
import type { ToolUpdateEvent } from '../../api/tool-event.js';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly kind?: ToolKind | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: 'pending' | 'completed' | 'failed';
  readonly error?: { readonly type: string; readonly message: string } | undefined;
}

export interface StatusRemark {
  readonly status: 'warning' | 'error' | 'retrying';
  readonly message: string;
}

/** Folds the events of a turn, from any driver, into its session, text, tool calls and remarks. */
export class TurnFold {
  sessionId: string | undefined;
  model: string | undefined;
  readonly #remarks: StatusRemark[] = [];
  readonly #calls = new Map<string, ToolCall>();
  readonly #answerPieces: string[][] = [[]];
  #toolRanSinceText = false;

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'session-init':
        this.sessionId = event.sessionId;
        this.model = event.model;
        break;
      case 'text':
      case 'text-delta':
        // Skip empty text: some agents send an empty piece to report the usage. Text of a sub-agent is no answer.
        if (event.textKind === 'text' && event.text !== '' && event.parentCallId === undefined)
          this.#addText(event.text);
        break;
      case 'tool-invocation':
        this.#toolRanSinceText = true;
        this.#calls.set(event.callId, {
          id: event.callId,
          name: event.toolName,
          kind: event.kind,
          input: event.input,
          outcome: 'pending',
        });
        break;
      case 'tool-update':
        this.#update(event);
        break;
      case 'tool-completion':
        this.#complete(event.callId, event.toolName, event.status, event.error);
        break;
      case 'session-status':
        // This package itself sends `repairing` and `waiting`: they are no remarks of the agent.
        if (event.status === 'repairing' || event.status === 'waiting') break;
        // A retry of another step on the same process is no evidence about this one.
        if (event.ofProcess === true) break;
        this.#remarks.push({ status: event.status, message: event.message });
        break;
      default:
        break;
    }
  }

  get remarks(): readonly StatusRemark[] {
    return this.#remarks;
  }

  get text(): string {
    return this.answers.join('');
  }

  /** Texts of the model's answers that are not empty; tool calls separate two answers. */
  get answers(): readonly string[] {
    return this.#answerPieces.map((pieces) => pieces.join('')).filter((answer) => answer !== '');
  }

  /** True if the model sent no text after its last tool call. */
  get endsWithTool(): boolean {
    return this.#toolRanSinceText;
  }

  /** Returns the tool calls in the order in which the model made them. */
  get toolCalls(): readonly ToolCall[] {
    return [...this.#calls.values()];
  }

  #addText(text: string): void {
    if (this.#toolRanSinceText) this.#answerPieces.push([]);
    this.#toolRanSinceText = false;
    this.#answerPieces.at(-1)?.push(text);
  }

  #update({ callId, kind, input }: ToolUpdateEvent): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) this.#calls.set(callId, { ...call, kind, input });
  }

  #complete(
    id: string,
    name: string | undefined,
    outcome: 'completed' | 'failed',
    error: ToolCall['error'],
  ): void {
    const call = this.#calls.get(id);
    const known = call ?? { id, name: name ?? 'unknown', input: {} };
    this.#calls.set(id, { ...known, outcome, error });
  }
}
