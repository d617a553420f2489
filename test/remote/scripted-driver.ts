import type { ApprovalMode } from '../../src/api/provider-config.js';
import type {
  OutgoingPrompt,
  SessionDriver,
  SessionSink,
} from '../../src/remote/drivers/session-driver.js';
import { LED_CAPABILITIES } from '../../src/remote/session/led-capabilities.js';

/** Drives a session without an agent: a test ends its turns. */
export class ScriptedDriver implements SessionDriver {
  readonly name = 'acp';
  /** What was asked for, in order. */
  readonly actions: string[] = [];
  /** Ends the agent by itself. */
  readonly exit: () => void;
  /** Thrown by `end` and `release`, as by an agent that lives on. */
  problem: Error | undefined;
  readonly #sink: SessionSink;
  #settle: ((error?: Error) => void) | undefined;

  constructor(sink: SessionSink, exit: () => void = () => {}) {
    this.#sink = sink;
    this.exit = exit;
  }

  /** Tells the session that it may take prompts. */
  begin(cliSessionId?: string): void {
    const capabilities = { ...LED_CAPABILITIES, handBack: true, takeOver: true };
    const modes = ['default', 'auto_edit', 'plan'] as const;
    const id = cliSessionId === undefined ? {} : { cliSessionId };
    this.#sink.update({ ...id, state: 'ready', capabilities, modes }, 'agent');
  }

  prompt({ text, accepted }: OutgoingPrompt): Promise<void> {
    this.actions.push(`prompt ${text}`);
    this.#sink.update({ state: 'working' }, 'agent');
    accepted();
    return new Promise((resolve, reject) => {
      this.#settle = (error) => {
        this.#sink.update({ state: 'ready' }, 'agent');
        if (error === undefined) resolve();
        else reject(error);
      };
    });
  }

  endTurn(error?: Error): void {
    this.#settle?.(error);
  }

  async interrupt(): Promise<void> {
    this.actions.push('interrupt');
    this.endTurn();
  }

  async setMode(mode: ApprovalMode): Promise<void> {
    this.actions.push(`mode ${mode}`);
  }

  async setModel(model: string): Promise<void> {
    this.actions.push(`model ${model}`);
  }

  async end(): Promise<void> {
    this.actions.push('end');
    if (this.problem !== undefined) throw this.problem;
  }

  async release(): Promise<void> {
    this.actions.push('release');
    if (this.problem !== undefined) throw this.problem;
  }
}
