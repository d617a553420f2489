import type { AgentEvent } from '../../api/agent-event.js';
import type { ProcessExit } from '../../base/process/spawn-cli.js';
import { settlesWithin } from '../../base/process/timing.js';
import type { AcpFindings, TurnRequest, TurnTrace } from '../driver.js';
import { hintForRefusal } from '../events/denied-tools.js';
import { describeRetry } from '../gemini/describe-retry.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import type { AcpFacts } from './acp-facts.js';
import { collectAcpFindings } from './acp-findings.js';
import type { AcpRequest } from './acp-request.js';
import type { PoolSlot } from './agent-pool.js';
import { configureSession } from './configure-session.js';
import type { EventQueue } from './event-queue.js';
import { RpcCallError } from './rpc-call.js';
import type { SessionHandle } from './session-handle.js';
import { TurnListener } from './turn-listener.js';
import { TurnStop } from './turn-stop.js';

/** How long an agent may take to end a turn that was cancelled, before its process is ended. */
const CANCEL_MS = 3_000;
/** How long an agent may live on after it has closed its output. */
const EXIT_MS = 1_000;

const STOPPED = Symbol('stopped');

type Answer = Pick<AcpFacts, 'response' | 'rpcError' | 'exit'>;

export interface AcpTurnOptions {
  readonly request: AcpRequest;
  readonly turn: TurnRequest;
  readonly slot: PoolSlot;
  /** The session to continue; a new one where there is none. */
  readonly session?: SessionHandle;
  readonly queue: EventQueue;
  readonly signal: AbortSignal;
  /** Another process had the step before, and has shown the prompt already. */
  readonly isMoved?: boolean;
}

export type AcpOutcome = AcpFindings & TurnTrace;

/** A session that is kept for another turn, and its slot. */
export interface HeldSession {
  readonly slot: PoolSlot;
  readonly session: SessionHandle;
}

/** One attempt at a prompt, on one process. */
export class AcpTurn {
  readonly #request: AcpRequest;
  readonly #turn: TurnRequest;
  readonly #slot: PoolSlot;
  readonly #queue: EventQueue;
  readonly #stop: TurnStop;
  readonly #isMoved: boolean;
  #session: SessionHandle | undefined;
  #listener: TurnListener | undefined;
  #held: HeldSession | undefined;
  readonly #startedAtMs = performance.now();

  constructor({ request, turn, slot, session, queue, signal, isMoved = false }: AcpTurnOptions) {
    this.#request = request;
    this.#turn = turn;
    this.#slot = slot;
    this.#session = session;
    this.#queue = queue;
    this.#isMoved = isMoved;
    this.#stop = new TurnStop({ ...request.resolved.config, spentMs: turn.spentMs }, signal);
  }

  get isAccepted(): boolean {
    return this.#listener?.isAccepted ?? false;
  }

  /** What is left for another turn once this one is over. */
  get held(): HeldSession | undefined {
    return this.#held;
  }

  async take(): Promise<AcpOutcome> {
    const { process } = this.#slot;
    const forgetRetries = process.listenForRetries((notice) => this.#onRetry(notice));
    try {
      const answer = await this.#answer();
      const outcome = await this.#conclude(answer);
      this.#hold(outcome);
      return outcome;
    } finally {
      this.#stop.end();
      forgetRetries();
      if (this.#held === undefined) {
        this.#session?.detach();
        this.#slot.release();
      }
    }
  }

  #hold({ facts }: AcpOutcome): void {
    const hasEndedWell = facts.response !== undefined && facts.stopReason === undefined;
    if (!this.#turn.mayContinue || !hasEndedWell || this.#session === undefined) return;
    this.#session.rest();
    this.#held = { slot: this.#slot, session: this.#session };
  }

  /** The answer to the prompt, or whatever came in its place. */
  async #answer(): Promise<Answer> {
    const prompting = this.#prompt();
    prompting.catch(() => {});
    try {
      const response = await Promise.race([prompting, this.#stop.stopped.then(() => STOPPED)]);
      if (response !== STOPPED) return { response };
      await this.#cancel(prompting);
      return {};
    } catch (error) {
      if (!(error instanceof RpcCallError)) throw error;
      if (error.failure.kind === 'refused') return { rpcError: error.failure.error };
      return { exit: await this.#awaitExit() };
    }
  }

  /** An agent that closes its output need not exit by itself. */
  async #awaitExit(): Promise<ProcessExit> {
    const { exited } = this.#slot.process;
    if (!(await settlesWithin(exited, EXIT_MS))) await this.#slot.discard();
    return exited;
  }

  async #prompt(): Promise<unknown> {
    const known = this.#session;
    const session = known ?? (await this.#open());
    const listener = this.#listen(session, known === undefined);
    if (known === undefined) await this.#configure(session);
    this.#stop.started();
    const { text } = this.#turn.prompt;
    if (!this.#isMoved) this.#emit({ type: 'user-input', text, isSynthetic: false });
    if (this.#stop.reason !== undefined) return undefined;
    listener.promptSent();
    const response = session.prompt(text);
    if (known === undefined) this.#slot.prepareNext();
    return response;
  }

  /** Opens a new session, or loads the one that the step continues. */
  async #open(): Promise<SessionHandle> {
    const { resumed } = this.#request;
    if (resumed === undefined) return this.#slot.open();
    try {
      return await this.#slot.load(resumed.sessionId);
    } finally {
      // Where loading fails as well: the CLI may have destroyed the session before it said that there is none.
      await resumed.check();
    }
  }

  async #configure(session: SessionHandle): Promise<void> {
    const { profile, resolved } = this.#request;
    for (const message of await configureSession(session, profile, resolved.config)) {
      this.#emit({ type: 'session-status', status: 'warning', message });
    }
  }

  /** A session that is new to the step is told of first. */
  #listen(session: SessionHandle, isNew: boolean): TurnListener {
    this.#session = session;
    const { config, cliSettings } = this.#request.resolved;
    const { model = session.options.model?.current } = config;
    if (isNew) this.#emit({ type: 'session-init', sessionId: session.id, model });
    const listener = new TurnListener({
      ...this.#request.resolved,
      sessionId: session.id,
      profile: this.#request.profile,
      onEvent: (event) => {
        this.#stop.active();
        this.#emit(event);
      },
      onRefusal: (call) => {
        const hint = hintForRefusal(call, { ...config, isOtherAgent: cliSettings === undefined });
        this.#stop.stop({ kind: 'permission', tool: call.toolName, hint });
      },
      onCancel: () => this.#stop.stop({ kind: 'cancelled' }),
    });
    this.#listener = listener;
    session.attach(listener);
    return listener;
  }

  #emit(event: AgentEvent): void {
    this.#queue.push(this.#turn.observe(event));
  }

  #onRetry(notice: RetryNotice): void {
    // The notice does not say whose request it was.
    if (this.#slot.isShared()) return;
    const { event, stopReason } = describeRetry(
      notice,
      this.#request.resolved.config.maxCliAttempts,
    );
    this.#stop.active();
    this.#emit(event);
    if (stopReason !== undefined) this.#stop.stop(stopReason);
  }

  /** Open questions first, then the turn, then, if the agent does not listen, its process. */
  async #cancel(prompting: Promise<unknown>): Promise<void> {
    this.#listener?.cancel();
    this.#session?.cancel();
    const isPrompted = this.#listener !== undefined;
    const hasEnded = isPrompted && (await settlesWithin(prompting, CANCEL_MS));
    if (hasEnded) return;
    // A process that is still starting, or does not answer, is of no use to anybody, unless another waits
    // for it. A session that comes too late does no harm; one that did not come in time may never do.
    const isUseful = this.#slot.process.isReady || this.#slot.isShared();
    if (isPrompted || !isUseful) await this.#slot.discard();
    else if (this.#stop.reason?.kind === 'timeout') this.#slot.retire();
  }

  async #conclude(answer: Answer): Promise<AcpOutcome> {
    const { process } = this.#slot;
    await this.#listener?.end();
    const mayHaveLeft = this.#listener?.hasRunCommand === true && process.isAlive;
    const processesLeft = mayHaveLeft && !this.#slot.isShared() ? await process.sweep() : 0;
    const stderr = await process.readStderr();
    const stopReason = this.#stop.reason;
    const facts: AcpFacts = {
      ...answer,
      profile: this.#request.profile,
      stopReason,
      toldUsage: this.#listener?.usage,
      wasReady: process.isReady,
      stderr,
    };
    return {
      ...collectAcpFindings(facts, this.#turn.fold, processesLeft),
      startedAtMs: this.#startedAtMs,
      exit: { ...answer.exit, stderr, stopReason },
      edits: this.#listener?.edits ?? [],
      call: { args: process.args },
      agentVersion: process.version,
      reportFiles: [...process.takeReportFiles(), ...(await this.#findReports(answer))],
    };
  }

  async #findReports({ rpcError }: Answer): Promise<readonly string[]> {
    if (rpcError === undefined) return [];
    const { profile, resolved } = this.#request;
    return profile.findReports({
      prompt: this.#turn.prompt.text,
      cwd: resolved.workingDir,
      startedAt: new Date(performance.timeOrigin + this.#startedAtMs),
      env: resolved.env,
    });
  }
}
