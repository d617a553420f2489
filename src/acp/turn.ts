import type { AgentEvent } from '../contract/agent-event.js';
import type { OwnEnd } from '../errors/verdict.js';
import { Deadlines } from '../process/deadlines.js';
import type { RetryNotice } from '../process/retry-notice.js';
import type { ProcessExit } from '../process/spawn-cli.js';
import { settlesWithin } from '../process/timing.js';
import type { AcpOutcome, AcpRequest } from './acp-request.js';
import { CallError } from './agent-connection.js';
import type { Place } from './agent-pool.js';
import type { AgentSession } from './agent-session.js';
import { configureSession } from './configure-session.js';
import type { EventQueue } from './event-queue.js';
import type { AcpFacts } from './judge.js';
import { SessionRun } from './session-run.js';

/** How long an agent may take to end a turn that was cancelled, before its process is ended. */
const CANCEL_MS = 3_000;
/** How long an agent may live on after it has closed its output. */
const EXIT_MS = 1_000;

const STOPPED = Symbol('stopped');

export interface TurnOptions {
  readonly request: AcpRequest;
  readonly place: Place;
  readonly queue: EventQueue;
  readonly signal: AbortSignal;
  /** Another process had the step before, and has shown the prompt already. */
  readonly isMoved: boolean;
}

/** One attempt at a step, on one process. */
export class Turn {
  readonly #request: AcpRequest;
  readonly #place: Place;
  readonly #queue: EventQueue;
  readonly #deadlines: Deadlines;
  readonly #signal: AbortSignal;
  readonly #isMoved: boolean;
  readonly #stopped: Promise<void>;
  #onStop: () => void = () => {};
  #ownEnd: OwnEnd | undefined;
  #isOver = false;
  #session: AgentSession | undefined;
  #run: SessionRun | undefined;

  constructor({ request, place, queue, signal, isMoved }: TurnOptions) {
    this.#request = request;
    this.#place = place;
    this.#queue = queue;
    this.#signal = signal;
    this.#isMoved = isMoved;
    this.#stopped = new Promise((resolve) => (this.#onStop = resolve));
    this.#deadlines = new Deadlines(request.limits, (phase, limitMs) => {
      this.#stop({ kind: 'timeout', phase, limitMs });
    });
  }

  get isAccepted(): boolean {
    return this.#run?.isAccepted ?? false;
  }

  async run(): Promise<AcpOutcome> {
    const { process } = this.#place;
    const onAbort = (): void => this.#stop({ kind: 'cancelled' });
    if (this.#signal.aborted) onAbort();
    this.#signal.addEventListener('abort', onAbort, { once: true });
    const forgetRetries = process.listenForRetries((notice) => this.#onRetry(notice));
    try {
      const facts = await this.#converse();
      return await this.#conclude(facts);
    } finally {
      this.#isOver = true;
      this.#deadlines.stop();
      this.#signal.removeEventListener('abort', onAbort);
      forgetRetries();
      this.#session?.detach();
      this.#place.release();
    }
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
      if (!(error instanceof CallError)) throw error;
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
    const session = await this.#openSession();
    this.#session = session;
    const { model = session.offer.model?.current, prompt } = this.#request;
    this.#emit({ type: 'session-init', sessionId: session.id, model });
    this.#run = this.#listen(session);
    session.attach(this.#run);
    for (const message of await configureSession(session, this.#request)) {
      this.#emit({ type: 'session-status', status: 'warning', message });
    }
    this.#deadlines.started();
    this.#deadlines.active();
    if (!this.#isMoved) this.#emit({ type: 'user-input', text: prompt, isSynthetic: false });
    if (this.#ownEnd !== undefined) return undefined;
    this.#run.promptSent();
    const response = session.prompt(prompt);
    this.#place.prepareNext();
    return response;
  }

  async #openSession(): Promise<AgentSession> {
    const { resume, onResumed } = this.#request;
    if (resume === undefined) return this.#place.open();
    try {
      return await this.#place.load(resume);
    } finally {
      // Also where it fails: the CLI may have destroyed the session before it said that there is none.
      await onResumed();
    }
  }

  #listen(session: AgentSession): SessionRun {
    const { profile, permissions, spec, workspaceDirs, env, hintFor } = this.#request;
    return new SessionRun({
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
    this.#queue.push(this.#request.observe(event));
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

  #stop(ownEnd: OwnEnd): void {
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
      ownEnd: this.#ownEnd,
      wasReady: process.isReady,
      stderr: await process.readStderr(),
      toldUsage: this.#run?.usage,
      edits: this.#run?.edits ?? [],
      args: process.args,
      agentVersion: process.version,
      processesLeft,
      reportFiles: process.takeReportFiles(),
    };
  }
}
