import type { AgentEvent } from '../../api/agent-event.js';
import type { ProcessExit } from '../../base/process/spawn-cli.js';
import { settlesWithin } from '../../base/process/timing.js';
import { Deadlines } from '../deadlines.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { AcpMessage, AcpOutcome, AcpRequest } from './acp-request.js';
import type { PoolSlot } from './agent-pool.js';
import { configureSession } from './configure-session.js';
import type { EventQueue } from './event-queue.js';
import type { AcpFacts } from './judge-acp.js';
import { openSession } from './open-session.js';
import { RpcCallError } from './rpc-call.js';
import type { SessionHandle } from './session-handle.js';
import { TurnListener } from './turn-listener.js';

/** How long an agent may take to end a turn that was cancelled, before its process is ended. */
const CANCEL_MS = 3_000;
/** How long an agent may live on after it has closed its output. */
const EXIT_MS = 1_000;

const STOPPED = Symbol('stopped');

export interface AcpTurnOptions {
  readonly request: AcpRequest;
  readonly message: AcpMessage;
  readonly place: PoolSlot;
  /** The session to go on in; a new one where there is none. */
  readonly session?: SessionHandle;
  readonly queue: EventQueue;
  readonly signal: AbortSignal;
  /** Another process had the step before, and has shown the prompt already. */
  readonly isMoved?: boolean;
}

/** A session that is kept for another message, and the place that it has. */
export interface HeldSession {
  readonly place: PoolSlot;
  readonly session: SessionHandle;
}

/** One attempt at a prompt, on one process. */
export class AcpTurn {
  readonly #request: AcpRequest;
  readonly #message: AcpMessage;
  readonly #place: PoolSlot;
  readonly #queue: EventQueue;
  readonly #deadlines: Deadlines;
  readonly #signal: AbortSignal;
  readonly #isMoved: boolean;
  readonly #stopped: Promise<void>;
  #onStop: () => void = () => {};
  #ownEnd: StepStopReason | undefined;
  #isOver = false;
  #session: SessionHandle | undefined;
  #run: TurnListener | undefined;
  #held: HeldSession | undefined;
  readonly #startedAtMs = performance.now();

  constructor({
    request,
    message,
    place,
    session,
    queue,
    signal,
    isMoved = false,
  }: AcpTurnOptions) {
    this.#request = request;
    this.#message = message;
    this.#place = place;
    this.#session = session;
    this.#queue = queue;
    this.#signal = signal;
    this.#isMoved = isMoved;
    this.#stopped = new Promise((resolve) => (this.#onStop = resolve));
    const limits = { ...request.limits, spentMs: message.spentMs };
    this.#deadlines = new Deadlines(limits, (phase, limitMs) => {
      this.#stop({ kind: 'timeout', phase, limitMs });
    });
  }

  get isAccepted(): boolean {
    return this.#run?.isAccepted ?? false;
  }

  /** What is left for another message once the turn is over. */
  get held(): HeldSession | undefined {
    return this.#held;
  }

  async run(): Promise<AcpOutcome> {
    const { process } = this.#place;
    const onAbort = (): void => this.#stop({ kind: 'cancelled' });
    if (this.#signal.aborted) onAbort();
    this.#signal.addEventListener('abort', onAbort, { once: true });
    const forgetRetries = process.listenForRetries((notice) => this.#onRetry(notice));
    try {
      const facts = await this.#converse();
      const outcome = await this.#conclude(facts);
      this.#hold(outcome);
      return outcome;
    } finally {
      this.#isOver = true;
      this.#deadlines.stop();
      this.#signal.removeEventListener('abort', onAbort);
      forgetRetries();
      if (this.#held === undefined) {
        this.#session?.detach();
        this.#place.release();
      }
    }
  }

  #hold({ response, ownEnd }: AcpOutcome): void {
    const hasEndedWell = response !== undefined && ownEnd === undefined;
    if (!this.#message.mayGoOn || !hasEndedWell || this.#session === undefined) return;
    this.#session.rest();
    this.#held = { place: this.#place, session: this.#session };
  }

  /** The answer to the prompt, or whatever came in its place. */
  async #converse(): Promise<Pick<AcpFacts, 'response' | 'rpcError' | 'death'>> {
    const conversation = this.#talk();
    conversation.catch(() => {});
    try {
      const response = await Promise.race([conversation, this.#stopped.then(() => STOPPED)]);
      if (response !== STOPPED) return { response };
      await this.#cancel(conversation);
      return {};
    } catch (error) {
      if (!(error instanceof RpcCallError)) throw error;
      if (error.failure.kind === 'refused') return { rpcError: error.failure.error };
      return { death: await this.#awaitDeath() };
    }
  }

  /** One that closes its output need not go by itself. */
  async #awaitDeath(): Promise<ProcessExit> {
    const { exited } = this.#place.process;
    if (!(await settlesWithin(exited, EXIT_MS))) await this.#place.discard();
    return exited;
  }

  async #talk(): Promise<unknown> {
    const known = this.#session;
    const session = known ?? (await openSession(this.#place, this.#request));
    const run = this.#listen(session, known === undefined);
    if (known === undefined) await this.#configure(session);
    this.#deadlines.started();
    this.#deadlines.active();
    const { prompt } = this.#message;
    if (!this.#isMoved) this.#emit({ type: 'user-input', text: prompt, isSynthetic: false });
    if (this.#ownEnd !== undefined) return undefined;
    run.promptSent();
    const response = session.prompt(prompt);
    if (known === undefined) this.#place.prepareNext();
    return response;
  }

  async #configure(session: SessionHandle): Promise<void> {
    for (const message of await configureSession(session, this.#request)) {
      this.#emit({ type: 'session-status', status: 'warning', message });
    }
  }

  /** A session that is new to the step is told of first. */
  #listen(session: SessionHandle, isNew: boolean): TurnListener {
    this.#session = session;
    const { model = session.options.model?.current } = this.#request;
    if (isNew) this.#emit({ type: 'session-init', sessionId: session.id, model });
    const run = this.#createRun(session);
    this.#run = run;
    session.attach(run);
    return run;
  }

  #createRun(session: SessionHandle): TurnListener {
    const { profile, permissions, spec, workspaceDirs, env, hintFor } = this.#request;
    return new TurnListener({
      sessionId: session.id,
      profile,
      permissions,
      workingDir: spec.cwd,
      workspaceDirs,
      env,
      clientFiles: this.#request.clientFiles,
      clientTerminals: this.#request.clientTerminals,
      onEvent: (event) => {
        this.#deadlines.active();
        this.#emit(event);
      },
      onRefusal: (call) => {
        this.#stop({ kind: 'permission', tool: call.toolName, hint: hintFor(call) });
      },
      onCancel: () => this.#stop({ kind: 'cancelled' }),
    });
  }

  #emit(event: AgentEvent): void {
    this.#queue.push(this.#message.observe(event));
  }

  #onRetry({ attempt, text, delayMs, httpStatus }: RetryNotice): void {
    // Whose request it was is not said.
    if (this.#place.isShared()) return;
    const [message = text] = text.split('\n', 1);
    const event = { type: 'session-status', status: 'retrying', message } as const;
    this.#deadlines.active();
    this.#emit({ ...event, attempt, delayMs, httpStatus });
    const { maxAttempts } = this.#request;
    if (maxAttempts !== undefined && attempt >= maxAttempts) {
      this.#stop({ kind: 'attempts', attempts: attempt, text, httpStatus, delayMs });
    }
  }

  #stop(ownEnd: StepStopReason): void {
    if (this.#ownEnd !== undefined || this.#isOver) return;
    this.#ownEnd = ownEnd;
    this.#deadlines.stop();
    this.#onStop();
  }

  /** Open questions first, then the turn, then, if the agent does not listen, its process. */
  async #cancel(conversation: Promise<unknown>): Promise<void> {
    this.#run?.cancel();
    this.#session?.cancel();
    const isPrompted = this.#run !== undefined;
    const hasEnded = isPrompted && (await settlesWithin(conversation, CANCEL_MS));
    if (hasEnded) return;
    // A process that is still starting, or does not answer, is of no use to anybody, unless another waits
    // for it. A session that comes too late does no harm; one that did not come in time may never do.
    const isUseful = this.#place.process.isReady || this.#place.isShared();
    if (isPrompted || !isUseful) await this.#place.discard();
    else if (this.#ownEnd?.kind === 'timeout') this.#place.retire();
  }

  async #conclude(facts: Pick<AcpFacts, 'response' | 'rpcError' | 'death'>): Promise<AcpOutcome> {
    const { process } = this.#place;
    await this.#run?.end();
    const mayHaveLeft = this.#run?.hasRunCommand === true && process.isAlive;
    const processesLeft = mayHaveLeft && !this.#place.isShared() ? await process.sweep() : 0;
    return {
      ...facts,
      startedAtMs: this.#startedAtMs,
      ownEnd: this.#ownEnd,
      wasReady: process.isReady,
      stderr: await process.readStderr(),
      toldUsage: this.#run?.usage,
      edits: this.#run?.edits ?? [],
      args: process.args,
      agentVersion: process.version,
      processesLeft,
      reportFiles: [...process.takeReportFiles(), ...(await this.#findReports(facts))],
    };
  }

  async #findReports({ rpcError }: Pick<AcpFacts, 'rpcError'>): Promise<readonly string[]> {
    if (rpcError === undefined) return [];
    const { profile, spec, env } = this.#request;
    const startedAt = new Date(performance.timeOrigin + this.#startedAtMs);
    return profile.findReports({ prompt: this.#message.prompt, cwd: spec.cwd, startedAt, env });
  }
}
