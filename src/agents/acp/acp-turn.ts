import type { AgentEvent } from '../../api/agent-event.js';
import { createPathGuard } from '../../config/path-guard.js';
import type { AcpFindings, TurnRequest, TurnTrace } from '../driver.js';
import { hintForRefusal } from '../events/denied-tools.js';
import { describeRetry } from '../gemini/describe-retry.js';
import { hasRecordedPrompt } from '../gemini/remove-unused-sessions.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import type { AcpFacts } from './acp-facts.js';
import { collectAcpFindings } from './acp-findings.js';
import type { AcpRequest } from './acp-request.js';
import type { ClientReport } from './client-reports.js';
import { configureSession } from './configure-session.js';
import { awaitExit, cancelPrompt } from './end-prompt.js';
import type { EventQueue } from './event-queue.js';
import { openSession } from './open-session.js';
import type { PoolSlot } from './pool-slot.js';
import { RpcCallError } from './rpc-call.js';
import { eventsOfSession } from './session-events.js';
import type { SessionHandle } from './session-handle.js';
import { TurnListener } from './turn-listener.js';
import { TurnStop } from './turn-stop.js';

const STOPPED = Symbol('stopped');

type Answer = Pick<AcpFacts, 'response' | 'rpcError' | 'exit'>;

export interface AcpTurnOptions {
  readonly request: AcpRequest;
  readonly turn: TurnRequest;
  readonly slot: PoolSlot;
  /** Session to continue. Without it, the turn opens a session. */
  readonly session?: SessionHandle;
  readonly queue: EventQueue;
  readonly signal: AbortSignal;
  /** True if the step moved here from another process. The event of the prompt was emitted there. */
  readonly isMoved?: boolean;
}

export type AcpOutcome = AcpFindings & TurnTrace;

/** Session that is kept for another turn, with its slot. */
export interface HeldSession {
  readonly slot: PoolSlot;
  readonly session: SessionHandle;
}

/** Turn on one process: sends the prompt and collects the outcome. */
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
  #awaitsModel = false;
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

  /**
   * True if the agent may have worked on the prompt: it has sent an answer, or the prompt is in its session file. Such a
   * prompt is not sent again: the model may have been paid for it.
   */
  get isAccepted(): boolean {
    const { isAccepted = false, isPrompted = false } = this.#listener ?? {};
    // A session that was resumed has earlier prompts in its file.
    if (isAccepted || !isPrompted || this.#request.resumed !== undefined) return isAccepted;
    return hasRecordedPrompt(this.#request.resolved, this.#session?.id);
  }

  /** Session that is kept for another turn, set after `take()`. */
  get held(): HeldSession | undefined {
    return this.#held;
  }

  async take(): Promise<AcpOutcome> {
    const { process } = this.#slot;
    const stopListening = process.listenForRetries((notice) => this.#onRetry(notice));
    try {
      const answer = await this.#answer();
      const outcome = await this.#conclude(answer);
      this.#hold(outcome);
      return outcome;
    } finally {
      this.#stop.end();
      stopListening();
      if (this.#held === undefined) {
        this.#session?.detach();
        this.#slot.release();
      }
    }
  }

  #hold({ facts }: AcpOutcome): void {
    const hasEndedWell = facts.response !== undefined && facts.stopReason === undefined;
    if (!this.#turn.mayContinue || !hasEndedWell || this.#session === undefined) return;
    this.#session.pause();
    this.#held = { slot: this.#slot, session: this.#session };
  }

  /**
   * Returns the answer to the prompt, an error response, or the exit of the process; nothing if the turn was
   * stopped.
   */
  async #answer(): Promise<Answer> {
    const prompting = this.#prompt();
    prompting.catch(() => {});
    try {
      const response = await Promise.race([prompting, this.#stop.stopped.then(() => STOPPED)]);
      if (response !== STOPPED) return { response };
      await cancelPrompt(prompting, {
        slot: this.#slot,
        session: this.#session,
        listener: this.#listener,
        reason: this.#stop.reason,
      });
      return {};
    } catch (error) {
      if (!(error instanceof RpcCallError)) throw error;
      if (error.failure.kind === 'refused') return { rpcError: error.failure.error };
      return { exit: await awaitExit(this.#slot) };
    }
  }

  async #prompt(): Promise<unknown> {
    const known = this.#session;
    const session = known ?? (await openSession(this.#slot, this.#request.resumed));
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

  async #configure(session: SessionHandle): Promise<void> {
    const { profile, resolved } = this.#request;
    for (const message of await configureSession(session, profile, resolved.config)) {
      this.#emit({ type: 'session-status', status: 'warning', message });
    }
  }

  /** Attaches a listener to the session. Emits `session-init` first if the session is new to the step. */
  #listen(session: SessionHandle, isNew: boolean): TurnListener {
    this.#session = session;
    const { config, cliSettings } = this.#request.resolved;
    if (isNew) for (const event of eventsOfSession(session, config.model)) this.#emit(event);
    const listener = new TurnListener({
      ...this.#request.resolved,
      sessionId: session.id,
      profile: this.#request.profile,
      guard: createPathGuard(this.#request.resolved),
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
    this.#awaitsModel = awaitsModel(event) ?? this.#awaitsModel;
    this.#queue.push(this.#turn.observe(event));
  }

  #onRetry(notice: RetryNotice): void {
    const { event, stopReason } = describeRetry(
      notice,
      this.#request.resolved.config.maxCliAttempts,
    );
    // A retry notice does not name its session: if other steps share the process, the notice may be that of another one.
    if (this.#slot.isShared()) {
      const message = `One of the steps of this process: ${event.message}`;
      if (this.#awaitsModel) this.#emit({ ...event, message, ofProcess: true });
      return;
    }
    this.#stop.active();
    this.#emit(event);
    if (stopReason !== undefined) this.#stop.stop(stopReason);
  }

  async #conclude(answer: Answer): Promise<AcpOutcome> {
    const { process } = this.#slot;
    await this.#listener?.end();
    const mayHaveLeftProcesses = this.#listener?.hasRunCommand === true && process.isAlive;
    const processesLeft =
      mayHaveLeftProcesses && !this.#slot.isShared() ? await process.sweep() : 0;
    // Both are read before the next await: a limit that is reached or a process that exits later is no part of the turn.
    const stopReason = this.#stop.reason;
    const wasReady = process.isReady;
    const stderr = await process.readStderr();
    const reports = await this.#findReports(answer);
    const facts: AcpFacts = {
      ...answer,
      profile: this.#request.profile,
      stopReason,
      streamedUsage: this.#listener?.usage,
      withoutSpace: this.#listener?.withoutSpace,
      wasEnded: process.wasEnded,
      wasReady,
      wasPrompted: this.#listener?.isPrompted ?? false,
      errorType: reports.find(({ errorType }) => errorType !== undefined)?.errorType,
      stderr,
    };
    // Without a later await, the findings include every event up to the end of the turn.
    return {
      ...collectAcpFindings(facts, this.#turn.fold, processesLeft),
      startedAtMs: this.#startedAtMs,
      exit: { ...answer.exit, stderr, stopReason },
      edits: this.#listener?.edits ?? [],
      call: { args: process.args },
      raw: answer.response ?? answer.rpcError,
      agentVersion: process.identity.version,
      reportFiles: [...process.takeReportFiles(), ...reports.map(({ path }) => path)],
    };
  }

  async #findReports({ rpcError }: Answer): Promise<readonly ClientReport[]> {
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

/** True if the step waits for the model after this event, false if the model has answered; undefined if neither is known. */
function awaitsModel({ type }: AgentEvent): boolean | undefined {
  if (type === 'user-input' || type === 'tool-completion') return true;
  return type === 'text-delta' || type === 'tool-invocation' ? false : undefined;
}
