import type { AgentEvent } from '../../api/agent-event.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import { createPathGuard } from '../../config/path-guard.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { ResolvedStep } from '../resolve-step.js';
import type { AgentPool } from './agent-pool.js';
import { configureSession } from './configure-session.js';
import type { Launch } from './launch.js';
import { openSession } from './open-session.js';
import type { PoolSlot } from './pool-slot.js';
import type { AgentProfile } from './profile.js';
import type { ResumedSession } from './resume-session.js';
import { eventsOfSession } from './session-events.js';
import type { SessionHandle } from './session-handle.js';
import { TurnListener } from './turn-listener.js';

export interface LiveSessionOptions {
  readonly resolved: ResolvedStep;
  readonly pool: AgentPool;
  readonly launch: Launch;
  readonly profile: AgentProfile;
  /** Earlier session that is continued. */
  readonly resumed?: ResumedSession | undefined;
  readonly onEvent: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Session of an agent that a person leads: it stays open, takes one prompt after another, and may change its mode and its
 * model. `config.onPermission` decides about tool calls. Unlike a step, it has no limits of time and no verdict.
 */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #slot: PoolSlot;
  readonly #session: SessionHandle;
  readonly #config: ResolvedConfig;
  #approvalMode: ApprovalMode;
  #listener: TurnListener | undefined;

  /** Takes a slot of the pool, opens or loads the session, and sets its mode and model. Throws a `ProviderError` or an `RpcCallError`. */
  static async open(options: LiveSessionOptions): Promise<LiveSession> {
    const { resolved, pool, launch, signal, resumed, profile, onEvent } = options;
    const { workingDir: cwd, config, processLogger: logger } = resolved;
    const spec = { cwd, mcpServers: config.mcpServers };
    const slot = await pool.acquire({ launch, spec, isExclusive: false, signal, logger });
    try {
      const session = await openSession(slot, resumed);
      for (const event of eventsOfSession(session, config.model)) onEvent(event);
      for (const message of await configureSession(session, profile, config))
        onEvent({ type: 'session-status', status: 'warning', message });
      return new LiveSession(options, slot, session);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  private constructor(options: LiveSessionOptions, slot: PoolSlot, session: SessionHandle) {
    this.#options = options;
    this.#slot = slot;
    this.#session = session;
    const { config } = options.resolved;
    this.#approvalMode = config.approvalMode;
    const approvalMode = (): ApprovalMode => this.#approvalMode;
    // The rules read the mode with each request, so that a change of the mode holds in the middle of a turn.
    this.#config = {
      ...config,
      get approvalMode() {
        return approvalMode();
      },
    };
  }

  /** Id of the agent's session. */
  get id(): string {
    return this.#session.id;
  }

  /** Resolves when the process of the agent has ended. */
  get exited(): Promise<unknown> {
    return this.#slot.process.exited;
  }

  /** Ids of the models that the agent offers. */
  get models(): readonly string[] {
    return this.#session.options.model?.offered.map(({ id }) => id) ?? [];
  }

  get approvalMode(): ApprovalMode {
    return this.#approvalMode;
  }

  /** Sends a prompt and waits for the end of its turn. Returns the answer of the agent. Throws an `RpcCallError`. */
  async prompt(text: string): Promise<unknown> {
    const listener = this.#createListener();
    this.#listener = listener;
    this.#session.attach(listener);
    try {
      listener.promptSent();
      this.#options.onEvent({ type: 'user-input', text, isSynthetic: false });
      return await this.#session.prompt(this.#options.profile.protectPrompt(text).text);
    } finally {
      await listener.end();
      this.#session.pause();
      this.#listener = undefined;
    }
  }

  /** Ends the turn that runs. Open permission requests are answered first: an agent that waits for them ignores the cancel. */
  cancel(): void {
    this.#listener?.cancel();
    this.#session.cancel();
  }

  /** Sets the mode of the agent and of the rules. Returns false if the agent refuses the mode. */
  async setMode(mode: ApprovalMode): Promise<boolean> {
    const warnings = await this.#configure({ approvalMode: mode, model: undefined });
    if (warnings.length > 0) return false;
    this.#approvalMode = mode;
    return true;
  }

  /** Sets the model of the next prompts. Returns false if the agent offers no choice. */
  async setModel(model: string): Promise<boolean> {
    const choice = { approvalMode: this.#approvalMode, model };
    return (await this.#configure(choice)).length === 0;
  }

  /** Gives the slot back. The agent keeps no resources for the session but its memory. */
  close(): void {
    this.#listener?.cancel();
    this.#session.detach();
    this.#slot.release();
  }

  #configure(choice: Pick<ResolvedConfig, 'approvalMode' | 'model'>): Promise<string[]> {
    return configureSession(this.#session, this.#options.profile, choice);
  }

  #createListener(): TurnListener {
    const { resolved, profile, onEvent } = this.#options;
    return new TurnListener({
      ...resolved,
      config: this.#config,
      sessionId: this.#session.id,
      profile,
      guard: createPathGuard(resolved),
      onEvent,
      onRefusal: () => {},
      onCancel: () => this.#session.cancel(),
    });
  }
}
