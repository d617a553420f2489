import type { TurnOutcome } from '../agents/driver.js';
import { type EvaluatedTurn, evaluateTurn } from '../agents/evaluate-turn.js';
import { type ToolCall, TurnFold } from '../agents/events/turn-fold.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { Failure } from '../agents/verdict/verdict.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { ManifestFile } from '../api/manifest.js';
import type { StepWarning } from '../api/result.js';
import type { SessionMessage } from '../api/session.js';
import { unlessAborted } from '../base/process/timing.js';
import { createPathGuard } from '../config/path-guard.js';
import { CheckSideEffects } from './check-side-effects.js';
import { combineTurns } from './combine-turns.js';
import { findOwnChanges } from './find-own-changes.js';
import { buildManifest } from './manifest/build-manifest.js';
import { NamedFiles } from './manifest/named-files.js';
import { OriginalContents } from './manifest/original-contents.js';
import { listUnreadFiles } from './manifest/unread-files.js';
import { redactEvent } from './redact-step.js';
import type { RemoteWorkspace } from './remote-workspace.js';
import type { EvaluatedStep, Step } from './step.js';
import type { StepClock } from './step-clock.js';
import { StepEvidence } from './step-evidence.js';
import { NOTHING_SETTLED, StepProtection } from './step-protection.js';
import { WallClockMark } from './wall-clock-mark.js';
import { beginComparison } from './workspace-comparison.js';

/** Time in which a remote file system must answer at the end of a step, so that protected files are restored. */
const LAST_LOOK_MS = 1_000;

/** Turn that has no outcome yet. */
export interface StartedTurn {
  readonly started: WallClockMark;
  readonly promptBytes: number;
  readonly fold: TurnFold;
}

interface FinishedTurn extends StartedTurn {
  readonly outcome: TurnOutcome;
  readonly evaluated: EvaluatedTurn;
}

/** State of a step: its finished turns, its session evidence, and the workspace as it was before the first turn. */
export class StepHistory {
  readonly #resolved: ResolvedStep;
  readonly #clock: StepClock;
  readonly #remote: RemoteWorkspace | undefined;
  readonly #compare: Awaited<ReturnType<typeof beginComparison>>;
  readonly #protection: StepProtection;
  readonly #warnings: readonly StepWarning[];
  readonly #started = new WallClockMark();
  readonly #startedAtMs = performance.now();
  readonly #originalContents: OriginalContents;
  readonly #namedFiles: NamedFiles;
  readonly #turns: FinishedTurn[] = [];
  readonly #sideEffects = new CheckSideEffects();
  readonly #evidence: StepEvidence;

  /** Takes the snapshot of the workspace, which can take seconds in a large one. */
  static async begin(
    step: Pick<Step, 'resolved' | 'remote'> & { readonly clock: StepClock },
    warnings: readonly StepWarning[],
    signal: AbortSignal | undefined,
  ): Promise<StepHistory> {
    const compare = await beginComparison(step.resolved, signal, step.remote);
    signal?.throwIfAborted();
    const protection = await StepProtection.begin(step.resolved, signal);
    // The caller of an aborted preparation never closes this history.
    if (signal?.aborted) await protection.close(false);
    signal?.throwIfAborted();
    return new StepHistory(step, compare, protection, [...warnings, ...protection.warnings]);
  }

  private constructor(
    { resolved, clock, remote }: Pick<Step, 'resolved' | 'remote'> & { readonly clock: StepClock },
    compare: Awaited<ReturnType<typeof beginComparison>>,
    protection: StepProtection,
    warnings: readonly StepWarning[],
  ) {
    this.#resolved = resolved;
    this.#clock = clock;
    this.#remote = remote;
    this.#compare = compare;
    this.#protection = protection;
    this.#warnings = warnings;
    this.#originalContents = new OriginalContents(resolved.workingDir, this.#started);
    this.#namedFiles = new NamedFiles(resolved, this.#started);
    this.#evidence = new StepEvidence(resolved, this.#started);
  }

  get repairs(): number {
    return Math.max(0, this.#turns.length - 1);
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#startedAtMs);
  }

  get evaluatedTurns(): readonly EvaluatedTurn[] {
    return this.#turns.map(({ evaluated }) => evaluated);
  }

  /** Messages of the session file; undefined if there is no session file. */
  get messages(): readonly SessionMessage[] | undefined {
    return this.#evidence.messages;
  }

  get outcomes(): readonly TurnOutcome[] {
    return this.#turns.map(({ outcome }) => outcome);
  }

  beginTurn(promptBytes: number): StartedTurn {
    this.#protection.beginTurn();
    return { started: new WallClockMark(), promptBytes, fold: new TurnFold() };
  }

  /** Adds an event to its turn. Returns the redacted event for the caller. */
  observe(turn: StartedTurn, event: AgentEvent): AgentEvent {
    const shown = redactEvent(event, this.#resolved.redactor);
    turn.fold.accept(shown);
    // A remote file system may not answer, and would stop this process. There the session file has the old contents.
    if (this.#remote === undefined) {
      this.#originalContents.accept(shown);
      this.#namedFiles.accept(event);
    }
    return shown;
  }

  /** Reads the session evidence of a turn, evaluates the turn and adds it to the history. */
  async endTurn(turn: StartedTurn, outcome: TurnOutcome): Promise<EvaluatedTurn> {
    const { config, cliSettings } = this.#resolved;
    const { fold, promptBytes } = turn;
    const isRepair = this.#turns.length > 0;
    this.#clock.turnEnded(outcome.startedAtMs, outcome.exit.stopReason !== undefined);
    let isReachable = false;
    const session = await this.#clock.conclude(async (signal) => {
      isReachable = await this.#isReachable(signal);
      if (!isReachable) return undefined;
      return this.#evidence.read(this.#sessionIdOf(fold), turn.started, isRepair, signal);
    });
    const evaluated = evaluateTurn({
      findings: outcome,
      fold,
      session,
      settings: {
        ...config,
        promptBytes,
        isResumed: config.resume !== undefined || isRepair,
        hasHooks: cliSettings?.hasHooks ?? false,
        isOtherAgent: cliSettings === undefined,
        isProtected: isReachable ? createPathGuard(this.#resolved).isProtected : undefined,
      },
    });
    this.#turns.push({ ...turn, outcome, evaluated });
    return evaluated;
  }

  /**
   * Builds the manifest. Returns the verdict on the last turn and the combined output of all turns. A step whose time ends
   * meanwhile has failed; the manifest then has what was found until then.
   */
  evaluate(): Promise<EvaluatedStep> {
    return this.#clock.conclude((signal) => this.#evaluate(signal));
  }

  async #evaluate(signal: AbortSignal): Promise<EvaluatedStep> {
    const resolved = this.#resolved;
    const last = this.#turns.at(-1);
    if (last === undefined) throw new Error('No turn of the step has ended yet');
    const shared = { toolCalls: this.#toolCalls, originalContents: this.#originalContents, signal };
    const isReachable = await this.#isReachable(signal);
    const settled = isReachable
      ? await this.#protection.settleInTime(this.#toolCalls, signal, this.#remote !== undefined)
      : NOTHING_SETTLED;
    const comparison = isReachable
      ? await this.#compare(this.#toolCalls, signal)
      : { changes: undefined, warnings: this.#remote?.warnings ?? [] };
    const manifest = !isReachable
      ? { files: listUnreadFiles(this.#toolCalls, resolved), warnings: [] }
      : await buildManifest({
          ...resolved,
          ...shared,
          edits: [
            ...this.#evidence.edits,
            ...this.#turns.flatMap(({ outcome: { edits } }) => edits),
          ],
          changes: await findOwnChanges({
            ...shared,
            workingDir: resolved.workingDir,
            namedFiles: this.#namedFiles,
            sideEffects: this.#sideEffects,
            compared: comparison.changes,
            undone: settled.changes,
            sinceMs: this.#started.sinceMs,
          }),
          isLeftByCheck: async (path) =>
            settled.isUndone(path) ||
            this.#sideEffects.isAsCheckLeft(path, signal).catch(() => false),
        });
    const output = combineTurns(this.evaluatedTurns, {
      generationId: resolved.generationId,
      sessionId: this.#sessionIdOf(last.fold),
      model: this.#turns.findLast(({ fold }) => fold.model !== undefined)?.fold.model,
      transport: last.outcome.transport,
      cliVersion: resolved.cli.version ?? last.outcome.agentVersion,
      durationMs: this.durationMs,
      manifest,
      warnings: [...this.#warnings, ...comparison.warnings, ...settled.warnings],
    });
    const { verdict } = last.evaluated;
    const isCut = verdict.ok && (signal.aborted || !isReachable);
    const { exit, raw } = last.outcome;
    return { verdict: isCut ? this.#failure(isReachable) : verdict, output, exit, raw };
  }

  async #isReachable(signal: AbortSignal): Promise<boolean> {
    return this.#remote === undefined || this.#remote.answers(signal);
  }

  #failure(isReachable: boolean): Failure {
    const { failure } = this.#clock;
    return isReachable ? failure : { ...failure, ...this.#remote?.problem };
  }

  /** Finds the file changes made by the commands of a check. `files` is the manifest from before the check. */
  async collectSideEffects(files: readonly ManifestFile[], signal: AbortSignal): Promise<void> {
    if (!(await this.#isReachable(signal))) return;
    const { changes = [] } = await this.#compare(this.#toolCalls, signal);
    const named = await this.#namedFiles.changes(this.#toolCalls, signal);
    const paths = [...changes, ...named].map(({ path }) => path);
    await this.#sideEffects.collect(files, paths, signal);
    await this.#protection.accept(signal);
  }

  /** Ends the protection of files. The history stays readable. */
  async close(): Promise<void> {
    const signal = AbortSignal.timeout(LAST_LOOK_MS);
    const closed = this.#protection.close(await this.#isReachable(signal), signal);
    if (this.#remote === undefined) await closed;
    else await unlessAborted(closed, signal).catch(() => {});
  }

  get #toolCalls(): readonly ToolCall[] {
    return this.#turns.flatMap(({ fold }) => fold.toolCalls);
  }

  #sessionIdOf({ sessionId }: TurnFold): string | undefined {
    return sessionId ?? this.#turns[0]?.fold.sessionId ?? this.#resolved.config.sessionId;
  }
}
