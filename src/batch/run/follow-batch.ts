import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchReport } from '../../api/batch-report.js';
import { sleep } from '../../base/process/timing.js';
import { buildReport, buildStepReport } from '../ledger/build-report.js';
import { LedgerFold } from '../ledger/fold-ledger.js';
import type { LedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerTail } from '../ledger/ledger-tail.js';
import { readLiveness } from '../state/read-liveness.js';
import type { BatchFolders } from './batch-folders.js';
import { FollowedSteps } from './followed-steps.js';
import { readEvents } from './read-activity.js';
import { sealOfFolders } from './read-batch.js';

/** Time between two looks at the ledger. */
const POLL_MS = 300;
/** Looks at the ledger between two looks at the lease. */
const POLLS_PER_LOOK = 5;
/** Time after the start of a run in which the batch compares results of earlier runs with the plan. */
const REUSE_MS = 3_000;

/** An event of a batch that runs in another process, with its time. */
export interface FollowedEvent {
  readonly event: BatchEvent;
  /** Time of the event in milliseconds since 1970. */
  readonly atMs: number;
}

/**
 * Follows a batch that runs in another process by its ledger and the events of its steps. The last event is
 * `batch-finished`, also if the batch was killed: its outcome is `stopped` then. Changes nothing.
 */
export async function* followBatch(
  folders: BatchFolders,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent, void> {
  const seal = sealOfFolders(folders);
  const tail = new LedgerTail(folders.ledgerFile, seal);
  const batch = new FollowedBatch(folders);
  const entries = await tail.read();
  const begin = entries.findLastIndex(({ type }) => type === 'plan');
  for (const entry of entries.slice(0, Math.max(0, begin))) batch.skip(entry);
  yield* batch.acceptAll(entries.slice(Math.max(0, begin)));
  for (let polls = 0; ; polls++) {
    // The lease is read before the ledger: a batch that has ended has written its last line before it gave the lease back.
    const isLook = polls % POLLS_PER_LOOK === 0;
    const isAlive = !isLook || (await readLiveness(folders.stateDir, seal)).kind === 'alive';
    yield* batch.acceptAll(await tail.read());
    yield* batch.readSteps();
    if (batch.isEnded || !isAlive || signal.aborted) break;
    await sleep(POLL_MS);
  }
  if (!signal.aborted) {
    yield { event: { type: 'batch-finished', report: batch.report() }, atMs: Date.now() };
  }
}

/** State of a batch that is followed, and the events that follow from the lines of its ledger. */
class FollowedBatch {
  readonly #folders: BatchFolders;
  readonly #fold = new LedgerFold();
  /** Positions in the files of events of the running steps. */
  readonly #running = new Map<string, number | undefined>();
  readonly #steps = new FollowedSteps();
  #startedMs = 0;
  #limit: number | undefined;

  constructor(folders: BatchFolders) {
    this.#folders = folders;
  }

  get isEnded(): boolean {
    return this.#fold.isEnded;
  }

  /** Accepts an entry of an earlier run. */
  skip(entry: LedgerEntry): void {
    this.#fold.accept(entry);
  }

  report(): BatchReport {
    this.#fold.closeOpenAttempts();
    return buildReport(this.#fold);
  }

  *acceptAll(entries: readonly LedgerEntry[]): Generator<FollowedEvent> {
    for (const entry of entries) {
      this.#fold.accept(entry);
      const atMs = Date.parse(entry.at);
      for (const event of this.#toEvents(entry)) yield { event, atMs };
    }
  }

  /** Reads new events of the running steps, and reports results of earlier runs that the batch has kept. */
  *readSteps(): Generator<FollowedEvent> {
    const atMs = Date.now();
    for (const [id, from] of this.#running) {
      const { events, position } = readEvents(this.#folders.out.eventsFile(id), from);
      this.#running.set(id, position);
      for (const event of events) {
        yield { event: { type: 'step-progress', stepId: id, event }, atMs };
      }
    }
    if (!this.isEnded && atMs - this.#startedMs < REUSE_MS) return;
    for (const { id, needs } of this.#steps.unfinished()) {
      if (this.#running.has(id)) continue;
      const { done, isEarlier } = this.#fold.stepState(id);
      if (done === undefined || !isEarlier) continue;
      if (this.isEnded || needs.every((need) => this.#steps.isSettled(need))) {
        for (const event of this.#finish(id)) yield { event, atMs };
      }
    }
  }

  *#toEvents(entry: LedgerEntry): Generator<BatchEvent> {
    switch (entry.type) {
      case 'plan': {
        this.#startedMs = Date.parse(entry.at);
        this.#running.clear();
        this.#steps.reset(entry.steps);
        const { name, planHash } = entry;
        const steps = entry.steps.map(({ id }) => id);
        const isFresh = this.#fold.runs.length === 1;
        yield { type: 'batch-started', name, planHash, steps, isFresh };
        for (const id of entry.leftOut ?? []) yield* this.#finish(id);
        break;
      }
      case 'start': {
        const { step: stepId, attempt, lane, reason, changed, model } = entry;
        this.#running.set(stepId, attempt === 1 ? 0 : undefined);
        this.#steps.reopen(stepId);
        yield { type: 'step-started', stepId, attempt, lane, reason, changed, model };
        break;
      }
      case 'saved':
        // The agent has finished. Its last events must not hide that the step waits for its merge.
        this.#running.delete(entry.step);
        yield { type: 'step-waiting', stepId: entry.step, waitsFor: 'merge' };
        break;
      case 'attempt':
        // The next line says what comes after a failure. Late events of the agent must not hide that.
        if (entry.outcome !== 'succeeded') this.#running.delete(entry.step);
        break;
      case 'retry':
        yield* this.#retry(entry);
        break;
      case 'pace':
        yield* this.#slowDown(entry);
        break;
      case 'done':
      case 'failed':
      case 'cancelled':
      case 'skipped':
        yield* this.#finish(entry.step);
        break;
      case 'warning':
        yield { type: 'warning', warning: entry.warning };
        break;
      case 'stop':
        yield { type: 'stopping', stop: entry.stop };
        break;
    }
  }

  *#retry({
    step,
    delayMs,
    model,
  }: LedgerEntry & { readonly type: 'retry' }): Generator<BatchEvent> {
    const failed = this.#fold.stepState(step).attempts.at(-1);
    if (failed === undefined) return;
    const { number: attempt, outcome, message = '' } = failed;
    if (outcome === 'succeeded' || outcome === 'running' || outcome === 'interrupted') return;
    yield { type: 'step-retry', stepId: step, attempt, code: outcome, message, delayMs, model };
  }

  *#slowDown({
    limit,
    most,
    pausedUntil,
    cause = 'rate-limit',
  }: LedgerEntry & { readonly type: 'pace' }): Generator<BatchEvent> {
    if (limit !== (this.#limit ?? most)) yield { type: 'concurrency', limit };
    this.#limit = limit;
    if (pausedUntil !== undefined)
      yield { type: 'paused', cause, untilMs: Date.parse(pausedUntil) };
  }

  *#finish(id: string): Generator<BatchEvent> {
    const step = this.#steps.find(id);
    this.#running.delete(id);
    if (step === undefined || this.#steps.isFinished(id)) return;
    this.#steps.finish(id);
    const report = buildStepReport(step, this.#fold.stepState(id));
    yield { type: 'step-finished', stepId: id, report };
  }
}
