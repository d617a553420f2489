import type { AgentEvent } from '../../api/agent-event.js';
import type { ToolKind } from '../../api/tool.js';

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

/** What a run has produced so far, whichever transport its events came from. */
export class TurnFold {
  sessionId: string | undefined;
  model: string | undefined;
  readonly #remarks: StatusRemark[] = [];
  readonly #calls = new Map<string, ToolCall>();
  readonly #turns: string[][] = [[]];
  #toolRanSinceText = false;

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'session-init':
        this.sessionId = event.sessionId;
        this.model = event.model;
        break;
      case 'text':
      case 'text-delta':
        // An empty piece is no answer: some agents hang the usage on one.
        if (event.textKind === 'text' && event.text !== '') this.#addText(event.text);
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
      case 'tool-completion':
        this.#complete(event.callId, event.toolName, event.status, event.error);
        break;
      case 'session-status':
        // That one is ours, and no remark of the agent.
        if (event.status === 'repairing') break;
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

  /** The text of each model turn that had some; tool calls lie between two turns. */
  get answers(): readonly string[] {
    return this.#turns.map((pieces) => pieces.join('')).filter((turn) => turn !== '');
  }

  /** Whether nothing was said after the last tool call. */
  get endsWithTool(): boolean {
    return this.#toolRanSinceText;
  }

  /** Tool calls in the order in which the model made them. */
  get toolCalls(): readonly ToolCall[] {
    return [...this.#calls.values()];
  }

  #addText(text: string): void {
    if (this.#toolRanSinceText) this.#turns.push([]);
    this.#toolRanSinceText = false;
    this.#turns.at(-1)?.push(text);
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
