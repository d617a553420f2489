import type { TurnOutcome } from '../agents/driver.js';
import { type EvaluatedTurn, evaluateTurn } from '../agents/evaluate-turn.js';
import { type ToolCall, TurnFold } from '../agents/events/turn-fold.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { ManifestFile } from '../api/manifest.js';
import type { StepWarning } from '../api/result.js';
import type { SessionMessage } from '../api/session.js';
import { createPathGuard } from '../config/path-guard.js';
import {
  type RecordedEdit,
  readSessionEvidence,
  type SessionEvidence,
} from '../sessions/files/read-session-evidence.js';
import { CheckSideEffects } from './check-side-effects.js';
import { combineTurns } from './combine-turns.js';
import { buildManifest } from './manifest/build-manifest.js';
import { NamedFiles } from './manifest/named-files.js';
import { OriginalContents } from './manifest/original-contents.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';
import { redactEvent } from './redact-step.js';
import type { EvaluatedStep } from './step.js';
import { StepProtection } from './step-protection.js';
import { beginComparison } from './workspace-comparison.js';

/** Turn that has no outcome yet. */
export interface StartedTurn {
  readonly startedMs: number;
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
  readonly #compare: Awaited<ReturnType<typeof beginComparison>>;
  readonly #protection: StepProtection;
  readonly #warnings: readonly StepWarning[];
  readonly #startedMs = Date.now();
  readonly #originalContents: OriginalContents;
  readonly #namedFiles: NamedFiles;
  readonly #turns: FinishedTurn[] = [];
  readonly #sideEffects = new CheckSideEffects();
  readonly #refusedIds = new Set<string>();
  #recordedEdits: readonly RecordedEdit[] = [];
  #messages: readonly SessionMessage[] | undefined;

  /** Takes the snapshot of the workspace, which can take seconds in a large one. */
  static async begin(
    resolved: ResolvedStep,
    warnings: readonly StepWarning[],
    signal: AbortSignal | undefined,
  ): Promise<StepHistory> {
    const compare = await beginComparison(resolved, signal);
    signal?.throwIfAborted();
    const protection = await StepProtection.begin(resolved, signal);
    return new StepHistory(resolved, compare, protection, [...warnings, ...protection.warnings]);
  }

  private constructor(
    resolved: ResolvedStep,
    compare: Awaited<ReturnType<typeof beginComparison>>,
    protection: StepProtection,
    warnings: readonly StepWarning[],
  ) {
    this.#resolved = resolved;
    this.#compare = compare;
    this.#protection = protection;
    this.#warnings = warnings;
    this.#originalContents = new OriginalContents(resolved.workingDir, this.#startedMs);
    this.#namedFiles = new NamedFiles(resolved, this.#startedMs);
  }

  get repairs(): number {
    return Math.max(0, this.#turns.length - 1);
  }

  get durationMs(): number {
    return Date.now() - this.#startedMs;
  }

  /** Milliseconds that count for the timeouts: since the first turn started, without the wait for a pool slot. */
  get spentMs(): number {
    const startedAtMs = this.#turns[0]?.outcome.startedAtMs;
    return startedAtMs === undefined ? 0 : performance.now() - startedAtMs;
  }

  /** Texts that the agent answered, one for each turn. */
  get answers(): readonly string[] {
    return this.#turns.map(({ evaluated }) => evaluated.text);
  }

  /** Messages of the session file; undefined if there is no session file. */
  get messages(): readonly SessionMessage[] | undefined {
    return this.#messages;
  }

  get outcomes(): readonly TurnOutcome[] {
    return this.#turns.map(({ outcome }) => outcome);
  }

  beginTurn(promptBytes: number): StartedTurn {
    this.#protection.beginTurn();
    return { startedMs: Date.now(), promptBytes, fold: new TurnFold() };
  }

  /** Adds an event to its turn. Returns the redacted event for the caller. */
  observe(turn: StartedTurn, event: AgentEvent): AgentEvent {
    const shown = redactEvent(event, this.#resolved.redactor);
    turn.fold.accept(shown);
    this.#originalContents.accept(shown);
    this.#namedFiles.accept(event);
    return shown;
  }

  /** Reads the session evidence of a turn, evaluates the turn and adds it to the history. */
  async endTurn(turn: StartedTurn, outcome: TurnOutcome): Promise<void> {
    const { config, cliSettings } = this.#resolved;
    const { fold, promptBytes } = turn;
    const isRepair = this.#turns.length > 0;
    const evaluated = evaluateTurn({
      findings: outcome,
      fold,
      session: await this.#readEvidence(turn, isRepair),
      settings: {
        ...config,
        promptBytes,
        isResumed: config.resume !== undefined || isRepair,
        hasHooks: cliSettings?.hasHooks ?? false,
        isOtherAgent: cliSettings === undefined,
        isProtected: createPathGuard(this.#resolved).isProtected,
      },
    });
    this.#turns.push({ ...turn, outcome, evaluated });
  }

  /**
   * Reads the evidence of one turn. Tool calls, edits and messages are read from the whole step, because the CLI may
   * add the calls of a later turn to a line of an earlier one.
   */
  async #readEvidence(turn: StartedTurn, isRepair: boolean): Promise<SessionEvidence | undefined> {
    const sessionId = this.#sessionIdOf(turn.fold);
    const own = await this.#readEvidenceSince(sessionId, turn.startedMs);
    const whole = isRepair ? await this.#readEvidenceSince(sessionId, this.#startedMs) : own;
    const refused = whole?.refusedCalls.filter(({ id }) => !this.#refusedIds.has(id)) ?? [];
    for (const { id } of refused) this.#refusedIds.add(id);
    this.#recordedEdits = whole?.edits ?? this.#recordedEdits;
    this.#messages = whole?.messages ?? this.#messages;
    return own && { ...own, refusedCalls: refused };
  }

  /** Returns undefined and logs a warning if the session file cannot be read, so that the step is not lost. */
  async #readEvidenceSince(
    sessionId: string | undefined,
    sinceMs: number,
  ): Promise<SessionEvidence | undefined> {
    const { geminiHome, workingDir: projectDir, logger } = this.#resolved;
    if (sessionId === undefined || geminiHome === undefined) return undefined;
    try {
      return await readSessionEvidence({ geminiHome, sessionId, projectDir, sinceMs });
    } catch (error) {
      logger.warn({ error: String(error), sessionId }, 'The session file cannot be read');
      return undefined;
    }
  }

  /** Builds the manifest. Returns the verdict on the last turn and the combined output of all turns. */
  async evaluate(): Promise<EvaluatedStep> {
    const resolved = this.#resolved;
    const last = this.#turns.at(-1);
    if (last === undefined) throw new Error('No turn of the step has ended yet');
    const settled = await this.#protection.settle(this.#toolCalls);
    const comparison = await this.#compare(this.#toolCalls);
    const changes = comparison.changes && (await this.#withoutSideEffects(comparison.changes));
    const manifest = await buildManifest({
      ...resolved,
      toolCalls: this.#toolCalls,
      edits: [...this.#recordedEdits, ...this.#turns.flatMap(({ outcome: { edits } }) => edits)],
      originalContents: this.#originalContents,
      changes: [
        ...(changes ?? []),
        ...(await this.#namedFiles.changes(this.#toolCalls)),
        ...settled.changes,
      ],
      isLeftByCheck: async (path) => {
        return settled.isUndone(path) || (await this.#sideEffects.isAsCheckLeft(path));
      },
    });
    const output = combineTurns(
      this.#turns.map(({ evaluated }) => evaluated),
      {
        generationId: resolved.generationId,
        sessionId: this.#sessionIdOf(last.fold),
        model: this.#turns.findLast(({ fold }) => fold.model !== undefined)?.fold.model,
        transport: last.outcome.transport,
        cliVersion: resolved.cli.version ?? last.outcome.agentVersion,
        durationMs: this.durationMs,
        manifest,
        warnings: [...this.#warnings, ...comparison.warnings, ...settled.warnings],
      },
    );
    return { verdict: last.evaluated.verdict, output, exit: last.outcome.exit };
  }

  /** Finds the file changes made by the commands of a check. `files` is the manifest from before the check. */
  async collectSideEffects(files: readonly ManifestFile[]): Promise<void> {
    const { changes } = await this.#compare(this.#toolCalls);
    await this.#sideEffects.collect(files, changes?.map(({ path }) => path) ?? []);
    await this.#protection.accept();
  }

  /** Ends the protection of files. The history stays readable. */
  close(): Promise<void> {
    return this.#protection.close();
  }

  get #toolCalls(): readonly ToolCall[] {
    return this.#turns.flatMap(({ fold }) => fold.toolCalls);
  }

  async #withoutSideEffects(changes: readonly WorkspaceChange[]): Promise<WorkspaceChange[]> {
    const others: WorkspaceChange[] = [];
    for (const change of changes) {
      if (!(await this.#sideEffects.isSideEffectOnly(change.path))) others.push(change);
    }
    return others;
  }

  #sessionIdOf({ sessionId }: TurnFold): string | undefined {
    return sessionId ?? this.#turns[0]?.fold.sessionId ?? this.#resolved.config.sessionId;
  }
}
