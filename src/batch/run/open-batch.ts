import { resolve } from 'node:path';
import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { BatchReport, BatchWarning } from '../../api/batch-report.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { checkValues } from '../../config/check-values.js';
import { invalidConfig } from '../../config/config-problem.js';
import { defaultProcesses } from '../../config/default-processes.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';
import { keepRecordsIn } from '../../step/protection/step-records.js';
import { assertReachable } from '../../step/reachable-folders.js';
import { retireUnusedStates } from '../clean/clean-states.js';
import { memoryLedger } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { answerLimitMs } from '../plan/answer-limit.js';
import { orderSteps } from '../plan/order-steps.js';
import { limitsSchema, type ParsedLimits } from '../plan/plan-schema.js';
import { describeSealedRecords } from '../state/sealed-records.js';
import { locateRoot, openStateFolder } from '../state/state-folder.js';
import { type StopKind, watchStopRequests } from '../state/stop-request.js';
import { assertPriced } from './attempt-cost.js';
import { Baseline } from './baseline.js';
import { readBatchEnvironment } from './batch-environment.js';
import { agentFoldersOf, BatchFolders, workingDirsOf } from './batch-folders.js';
import { BatchState } from './batch-state.js';
import { createStartCheck } from './check-start.js';
import { MergeOrder } from './merge-order.js';
import type { Observing } from './observing.js';
import { type Closers, closeAll, openLedger } from './open-ledger.js';
import { toPlanEntry } from './plan-entry.js';
import { toPreflightRequest } from './preflight.js';
import { refreshReports } from './refresh-reports.js';
import { pickFinish, runFinishCommands } from './run-finish-commands.js';
import { Scheduler } from './scheduler.js';
import { describeAdded, selectSteps } from './select-steps.js';
import { StepRunner } from './step-runner.js';
import { makeTemporaryState } from './temporary-state.js';
import { findUnexplainedChanges } from './unexplained-changes.js';
import { writeStepFiles } from './write-step-files.js';

const DEFAULT_CONCURRENCY = 4;
/** Steps that share one warm process. More steps would wait for each other. */
const STEPS_PER_PROCESS = 8;
/** Longest search for unexplained changes at the end of a stopped batch. */
const STOPPED_SEARCH_MS = 1_000;

/** A batch that is ready to run, with the functions that finish and close it. */
export interface OpenBatch {
  readonly scheduler: Scheduler;
  /** Calls a function when another process asks the batch to stop. */
  watchStops(onRequest: (kind: StopKind) => void): void;
  /** Writes the end of the run into the ledger, and the reports into the output folder. */
  finish(): Promise<BatchReport>;
  close(): Promise<void>;
}

type Emit = (event: BatchEvent) => void;

/** What a run of a batch tells, and how it is ended. */
export interface BatchContext {
  readonly emit: Emit;
  readonly observing: Observing;
  /** Ends the hashing of folders: a cancelled or stopped batch must not wait for that. */
  readonly signal: AbortSignal;
}

/** Opens a batch. */
export async function openBatch(
  plan: ExpandedPlan,
  options: BatchOptions,
  { emit, observing, signal }: BatchContext,
): Promise<OpenBatch> {
  const given = { ...readLimits(plan.limits), ...readLimits(options) };
  const limits = { ...given, concurrency: given.concurrency ?? DEFAULT_CONCURRENCY };
  assertPriced(plan, limits, options.config);
  const closers: Closers = [];
  const close = (): Promise<void> => closeAll(closers);
  try {
    const used = [...agentFoldersOf(plan), options.out, locateRoot(options.state)];
    await assertReachable(used, { signal, limitMs: answerLimitMs(limits) });
    const folders = openFolders(plan, options);
    const out = folders?.out;
    const opened =
      folders &&
      (await openLedger({ folders, plan, options, signal, onWait: tellWait(emit) }, closers));
    const state = opened?.state ?? new BatchState(memoryLedger, []);
    const stateDir = folders?.stateDir ?? (await makeTemporaryState(closers));
    if (folders !== undefined) {
      closers.push(keepRecordsIn(describeSealedRecords(stateDir), workingDirsOf(plan)));
      await retireUnusedStates(stateDir, { signal }).catch(() => {});
    }
    const baseline = folders && (await openBaseline(folders, plan, signal));
    const provider = observing.wrap(
      options.provider ?? createProvider(options, limits.concurrency, closers),
    );
    const chosen = selectSteps(plan.steps, options, (id) => state.stepState(id));
    const environment = await readBatchEnvironment(plan, options.config, options.provider);
    await state.write(toPlanEntry(plan, { leftOut: chosen.leftOut, environment }));
    // The id is written after the first line of the ledger: an output folder with an id always has a ledger.
    if (opened !== undefined) await out?.belongTo(opened.batch);
    const publish = out === undefined ? emit : writeStepFiles(out, emit, closers);
    publish({
      type: 'batch-started',
      name: plan.name,
      planHash: plan.hash,
      steps: plan.steps.map(({ id }) => id),
      isFresh: opened?.isFresh ?? true,
    });
    const warn = async (warning: BatchWarning): Promise<void> => {
      await state.write({ type: 'warning', warning });
      publish({ type: 'warning', warning });
    };
    for (const warning of opened?.ledgerWarnings ?? []) publish({ type: 'warning', warning });
    for (const warning of opened?.warnings ?? []) await warn(warning);
    if (baseline?.isDamaged === true) await warn(describeDamagedBaseline(folders?.baselineFile));
    for (const warning of describeAdded(chosen)) await warn(warning);
    for (const id of chosen.leftOut) {
      publish({ type: 'step-finished', stepId: id, report: state.stepReport(id) });
    }
    // Steps that are left out are none of the scheduler's: a need that has a result counts as met.
    const steps = orderSteps(plan.steps).filter(({ id }) => chosen.selected.has(id));
    const preflight = toPreflightRequest(options, stateDir);
    const mergeOrder = new MergeOrder(steps, limits.mergeOrder ?? 'finish');
    const runner = new StepRunner({
      plan,
      state,
      batch: opened?.batch,
      provider,
      contextOf: observing.contextOf,
      config: options.config,
      mergeOrder,
      baseline,
      stateDir,
      keptDir: out?.keptDir,
      checkStart: preflight && createStartCheck(steps, state, preflight),
      checkLease: opened && (() => opened.lease.check()),
      emit: publish,
      warn,
    });
    closers.push(() => runner.close());
    const scheduler = new Scheduler({ steps, limits, state, mergeOrder, runner, emit: publish });
    if (opened !== undefined) stopIfLost(opened.lease.lost, scheduler);
    const endRefresh =
      out &&
      refreshReports({
        build: () => state.report(true),
        write: async (report) => {
          // A run that was frozen and overtaken must not replace the reports of its successor.
          await opened?.lease.check();
          await out.writeReports(report);
        },
      });
    if (endRefresh !== undefined) closers.push(endRefresh);
    const finish = async (): Promise<BatchReport> => {
      await endRefresh?.();
      const limit = signal.aborted ? AbortSignal.timeout(STOPPED_SEARCH_MS) : signal;
      const found =
        baseline &&
        (await findUnexplainedChanges(plan.steps, state, baseline, limit).catch((error) => {
          if (limit.aborted || isUnreachable(error)) return undefined;
          throw error;
        }));
      if (found !== undefined) await warn(found);
      await state.write({ type: 'end' });
      const report = state.report();
      // A disk that is full must not keep the commands from telling the user that the batch has ended.
      const written = await Promise.allSettled([out?.writeReports(report)]);
      const finish = { ...plan.finish, ...pickFinish(options) };
      const request = { ...finish, folder: plan.baseDir, out, report, emit: publish };
      const failure = await runFinishCommands(request);
      for (const one of written) if (one.status === 'rejected') throw one.reason;
      if (failure === undefined) return report;
      await warn(failure);
      const last = state.report();
      await out?.writeReports(last);
      return last;
    };
    const watchStops = (onRequest: (kind: StopKind) => void): void => {
      if (opened === undefined) return;
      closers.push(watchStopRequests(stateDir, opened.lease.leaseId, onRequest));
    };
    return { scheduler, watchStops, finish, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Picks the limits from the options and checks them by the schema of a plan. Throws INVALID_CONFIG with all problems.
 */
function readLimits(options: BatchOptions): ParsedLimits {
  const { data, problems } = checkValues(limitsSchema, options);
  if (data === undefined) throw invalidConfig(problems);
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** Creates the default provider, which runs steps on warm processes. The processes end with the batch. */
function createProvider(
  { config }: BatchOptions,
  concurrency: number,
  closers: Closers,
): ResponseProvider {
  const maxProcesses = Math.max(defaultProcesses(), Math.ceil(concurrency / STEPS_PER_PROCESS));
  const provider = new GeminiCliProvider({ transport: 'acp', pool: { maxProcesses }, ...config });
  closers.push(() => provider.dispose());
  return provider;
}

/** Opens the state folder of a batch with an output folder. */
function openFolders(plan: ExpandedPlan, { out, state }: BatchOptions): BatchFolders | undefined {
  if (out === undefined) return undefined;
  return new BatchFolders(resolve(out), openStateFolder(out, state, agentFoldersOf(plan)));
}

/** Passes the message on that the batch waits for the lease of another one. The ledger is not open yet. */
function tellWait(emit: Emit): (message: string) => void {
  return (message) =>
    emit({ type: 'warning', warning: { code: 'LEASE_WAIT', message, steps: [] } });
}

/** Ends the batch as soon as another one has taken it over. */
function stopIfLost(lost: AbortSignal, scheduler: Scheduler): void {
  const stop = (): void => scheduler.crash(lost.reason);
  if (lost.aborted) stop();
  else lost.addEventListener('abort', stop, { once: true });
}

/** True if a file system does not answer any more: the report must not wait for the file system. */
function isUnreachable(error: unknown): boolean {
  return ProviderError.isInstance(error) && error.code === 'TIMEOUT';
}

function describeDamagedBaseline(file = ''): BatchWarning {
  const message = `${file} was damaged and is made again: files that a killed attempt has created may be reported as modified`;
  return { code: 'DAMAGED_LEDGER', message, steps: [] };
}

function openBaseline(
  { baselineFile, ledgerFile }: BatchFolders,
  { steps }: ExpandedPlan,
  signal: AbortSignal,
): Promise<Baseline> {
  const shared = steps.filter(({ isolation }) => isolation === 'shared');
  const folders = new Set(shared.map(({ config }) => String(config['workingDir'])));
  return Baseline.open(baselineFile, [...folders], signal).catch((error: unknown) => {
    throw ledgerProblem(ledgerFile, error);
  });
}
