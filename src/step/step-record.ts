import type { AgentEvent } from '../api/agent-event.js';
import type { ManifestFile } from '../api/manifest.js';
import type { RunWarning } from '../api/result.js';
import type { SessionMessage } from '../api/session.js';
import { RunFold, type ToolCall } from '../agents/events/run-fold.js';
import { BeforeImages } from './manifest/before-images.js';
import { buildManifest } from './manifest/build-manifest.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';
import type { RecordedEdit, RunWitness } from '../sessions/files/run-witness.js';
import { CheckTraces } from './check-traces.js';
import { combineTurns } from './combine-turns.js';
import { hearWitness } from './hear-witness.js';
import { redactEvent } from './redact-run.js';
import { type SettledTurn, settleTurn } from './settle-turn.js';
import type { Stage } from '../agents/stage.js';
import type { SettledRun } from './step.js';
import type { TransportOutcome } from '../agents/transport.js';
import { beginComparison } from './workspace-comparison.js';

/** A turn that is under way. */
export interface TurnRecord {
  readonly startedMs: number;
  readonly promptBytes: number;
  readonly fold: RunFold;
}

interface FinishedTurn extends TurnRecord {
  readonly outcome: TransportOutcome;
  readonly settled: SettledTurn;
}

/** What a step has done so far, from before its first turn on. */
export class StepRecord {
  readonly #stage: Stage;
  readonly #compare: Awaited<ReturnType<typeof beginComparison>>;
  readonly #warnings: readonly RunWarning[];
  readonly #startedMs = Date.now();
  readonly #beforeImages: BeforeImages;
  readonly #turns: FinishedTurn[] = [];
  readonly #traces = new CheckTraces();
  readonly #refusedIds = new Set<string>();
  #recordedEdits: readonly RecordedEdit[] = [];
  #messages: readonly SessionMessage[] | undefined;

  /** Looks at the workspace, which takes its time. */
  static async begin(
    stage: Stage,
    warnings: readonly RunWarning[],
    signal: AbortSignal | undefined,
  ): Promise<StepRecord> {
    const compare = await beginComparison(stage, signal);
    signal?.throwIfAborted();
    return new StepRecord(stage, compare, warnings);
  }

  private constructor(
    stage: Stage,
    compare: Awaited<ReturnType<typeof beginComparison>>,
    warnings: readonly RunWarning[],
  ) {
    this.#stage = stage;
    this.#compare = compare;
    this.#warnings = warnings;
    this.#beforeImages = new BeforeImages(stage.workingDir, this.#startedMs);
  }

  get repairs(): number {
    return Math.max(0, this.#turns.length - 1);
  }

  get durationMs(): number {
    return Date.now() - this.#startedMs;
  }

  /** How long the clocks have been running: waiting for a place does not count. */
  get spentMs(): number {
    const startedAtMs = this.#turns[0]?.outcome.startedAtMs;
    return startedAtMs === undefined ? 0 : performance.now() - startedAtMs;
  }

  /** What was said to each prompt. */
  get answers(): readonly string[] {
    return this.#turns.map(({ settled }) => settled.text);
  }

  /** As the session file has them; undefined where there is none. */
  get messages(): readonly SessionMessage[] | undefined {
    return this.#messages;
  }

  get outcomes(): readonly TransportOutcome[] {
    return this.#turns.map(({ outcome }) => outcome);
  }

  beginTurn(promptBytes: number): TurnRecord {
    return { startedMs: Date.now(), promptBytes, fold: new RunFold() };
  }

  /** Takes an event of a turn in, and gives what may be handed out. */
  observe(turn: TurnRecord, event: AgentEvent): AgentEvent {
    const shown = redactEvent(event, this.#stage.redactor);
    turn.fold.accept(shown);
    this.#beforeImages.accept(shown);
    return shown;
  }

  async endTurn(turn: TurnRecord, outcome: TransportOutcome): Promise<void> {
    const stage = this.#stage;
    const { fold, promptBytes } = turn;
    const isRepair = this.#turns.length > 0;
    const witness = await this.#hearWitness(turn, isRepair);
    const settled = settleTurn({
      fold,
      outcome,
      witness,
      settings: {
        ...stage.config,
        promptBytes,
        isResumed: stage.config.resume !== undefined || isRepair,
        hasHooks: stage.cliSettings?.hasHooks ?? false,
        isOtherAgent: stage.cliSettings === undefined,
      },
    });
    this.#turns.push({ ...turn, outcome, settled });
  }

  /** The CLI may add the calls of a later turn to a record of an earlier one, so these are taken from the whole step. */
  async #hearWitness(turn: TurnRecord, isRepair: boolean): Promise<RunWitness | undefined> {
    const sessionId = this.#sessionIdOf(turn.fold);
    const own = await hearWitness(this.#stage, sessionId, turn.startedMs);
    const whole = isRepair ? await hearWitness(this.#stage, sessionId, this.#startedMs) : own;
    const refused = whole?.refusedCalls.filter(({ id }) => !this.#refusedIds.has(id)) ?? [];
    for (const { id } of refused) this.#refusedIds.add(id);
    this.#recordedEdits = whole?.edits ?? this.#recordedEdits;
    this.#messages = whole?.messages ?? this.#messages;
    return own && { ...own, refusedCalls: refused };
  }

  /** The verdict on the last turn, and what all of them have produced. */
  async settle(): Promise<SettledRun> {
    const stage = this.#stage;
    const last = this.#turns.at(-1);
    if (last === undefined) throw new Error('Nothing has been said yet');
    const comparison = await this.#compare(this.#toolCalls);
    const manifest = await buildManifest({
      ...stage,
      toolCalls: this.#toolCalls,
      edits: [...this.#recordedEdits, ...this.#turns.flatMap(({ outcome: { edits } }) => edits)],
      beforeImages: this.#beforeImages,
      changes: comparison.changes && (await this.#withoutTraces(comparison.changes)),
      isExcused: (path) => this.#traces.isAsLeft(path),
    });
    const output = combineTurns(
      this.#turns.map(({ settled }) => settled),
      {
        sessionId: this.#sessionIdOf(last.fold),
        model: this.#turns.findLast(({ fold }) => fold.model !== undefined)?.fold.model,
        transport: last.outcome.transport,
        cliVersion: stage.cli.version ?? last.outcome.agentVersion,
        durationMs: this.durationMs,
        manifest,
        warnings: [...this.#warnings, ...comparison.warnings],
      },
    );
    return { verdict: last.settled.verdict, output, end: last.outcome.end };
  }

  /** Commands have run to check the files of this manifest, and may have changed some. */
  async noteChecks(files: readonly ManifestFile[]): Promise<void> {
    const { changes } = await this.#compare(this.#toolCalls);
    await this.#traces.note(files, changes?.map(({ path }) => path) ?? []);
  }

  get #toolCalls(): readonly ToolCall[] {
    return this.#turns.flatMap(({ fold }) => fold.toolCalls);
  }

  async #withoutTraces(changes: readonly WorkspaceChange[]): Promise<WorkspaceChange[]> {
    const left: WorkspaceChange[] = [];
    for (const change of changes) {
      if (!(await this.#traces.isTheirs(change.path))) left.push(change);
    }
    return left;
  }

  #sessionIdOf({ sessionId }: RunFold): string | undefined {
    return sessionId ?? this.#turns[0]?.fold.sessionId ?? this.#stage.config.sessionId;
  }
}
