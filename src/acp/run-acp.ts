import type { ApprovalMode } from '../config/provider-config.js';
import type { AgentEvent } from '../contract/agent-event.js';
import type { ClientFileHooks } from '../contract/client-files.js';
import type { Logger } from '../contract/logger.js';
import type { OwnEnd } from '../errors/verdict.js';
import { Deadlines, type Limits } from '../process/deadlines.js';
import type { RetryNotice } from '../process/retry-notice.js';
import type { ProcessExit } from '../process/spawn-cli.js';
import { settlesWithin } from '../process/timing.js';
import type { RecordedEdit } from '../session/run-witness.js';
import { CallError } from './agent-connection.js';
import type { AgentPool, Place } from './agent-pool.js';
import type { AgentSession } from './agent-session.js';
import { configureSession } from './configure-session.js';
import { EventQueue } from './event-queue.js';
import type { AcpFacts } from './judge.js';
import type { Launch } from './launch.js';
import type { MappedRequest } from './map-update.js';
import type { PermissionSettings } from './permission-policy.js';
import type { AgentProfile } from './profile.js';
import { SessionRun } from './session-run.js';
import type { SessionSpec } from './session-spec.js';

/** How long an agent may take to end a turn that was cancelled, before its process is ended. */
const CANCEL_MS = 3_000;
/** How long an agent may live on after it has closed its output. */
const EXIT_MS = 1_000;
/** A step that no process has taken up yet may be given to another one, this often. */
const MOST_MOVES = 3;

export interface AcpRequest {
  readonly pool: AgentPool;
  readonly launch: Launch;
  readonly spec: SessionSpec;
  readonly profile: AgentProfile;
  readonly prompt: string;
  readonly approvalMode: ApprovalMode;
  readonly model: string | undefined;
  /** The session to go on with. */
  readonly resume: string | undefined;
  /** Called when the agent has loaded it, or has failed to, and before anything else happens to it. */
  readonly onResumed: () => Promise<void>;
  readonly permissions: PermissionSettings;
  /** The setting that would have allowed a call. */
  readonly hintFor: (call: MappedRequest['call']) => string;
  readonly limits: Limits;
  readonly maxAttempts: number | undefined;
  readonly workspaceDirs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly clientFiles: false | ClientFileHooks;
  readonly clientTerminals: boolean;
  /** Where events wait that nobody takes. */
  readonly queueFile: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Sees each event, and gives what may be handed out. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

/** What is left when the turn is over. */
export interface AcpOutcome extends AcpFacts {
  readonly edits: readonly RecordedEdit[];
  readonly args: readonly string[];
  readonly agentVersion: string | undefined;
  /** Processes that shell commands had left behind. */
  readonly processesLeft: number;
  readonly reportFiles: readonly string[];
}

/** Drives one prompt through a warm agent. A step that no process has taken up is moved to another. */
export async function* runAcp(request: AcpRequest): AsyncGenerator<AgentEvent, AcpOutcome> {
  const queue = new EventQueue(request.queueFile);
  const ending = new AbortController();
  const turn = runWithMoves(request, queue, ending.signal).finally(() => queue.end());
  turn.catch(() => {});
  try {
    yield* queue;
    return await turn;
  } finally {
    // Reached by `return()` as well: nothing of the step may outlive the iteration.
    ending.abort();
    await turn.catch(() => {});
  }
}

async function runWithMoves(
  request: AcpRequest,
  queue: EventQueue,
  abandoned: AbortSignal,
): Promise<AcpOutcome> {
  const signal = AbortSignal.any([request.signal, abandoned]);
  for (let moves = 0; ; moves++) {
    const place = await request.pool.acquire({
      launch: request.launch,
      spec: request.spec,
      // What is said of retries on stderr can only be counted where it must be this step's.
      isExclusive: request.maxAttempts !== undefined,
      signal,
      logger: request.logger,
    });
    const turn = new Turn(request, place, queue, signal);
    const outcome = await turn.run();
    const mayMove = outcome.death !== undefined && outcome.wasReady && !turn.isAccepted;
    if (!mayMove || outcome.ownEnd !== undefined || moves === MOST_MOVES) return outcome;
    request.logger.info({ moves }, 'the process has gone before it took up the step: moved');
  }
}

/** One attempt at a step, on one process. */
class Turn {
  readonly #request: AcpRequest;
  readonly #place: Place;
  readonly #queue: EventQueue;
  readonly #deadlines: Deadlines;
  readonly #signal: AbortSignal;
  readonly #stopped: Promise<void>;
  #onStop: () => void = () => {};
  #ownEnd: OwnEnd | undefined;
  #isOver = false;
  #session: AgentSession | undefined;
  #run: SessionRun | undefined;

  constructor(request: AcpRequest, place: Place, queue: EventQueue, signal: AbortSignal) {
    this.#request = request;
    this.#place = place;
    this.#queue = queue;
    this.#signal = signal;
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
    this.#emit({ type: 'user-input', text: prompt, isSynthetic: false });
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

const STOPPED = Symbol('stopped');
