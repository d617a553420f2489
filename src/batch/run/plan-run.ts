import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { Finding } from '../../api/diagnosis.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { assertReachable } from '../../step/reachable-folders.js';
import { describeDamage } from '../ledger/describe-damage.js';
import { memoryLedger } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { type Liveness, readLiveness } from '../state/read-liveness.js';
import { checkStateLocation, locateRoot, locateState } from '../state/state-folder.js';
import { agentFoldersOf, BatchFolders } from './batch-folders.js';
import { BatchState } from './batch-state.js';
import { entriesOf, findLedger } from './find-ledger.js';
import { type BatchOutlook, createOutlook } from './outlook.js';
import { checkGroups, toCauses, toPreflightRequest } from './preflight.js';
import { sealOfFolders } from './read-batch.js';

/** What a run of a plan would do now. */
export interface PlannedRun {
  readonly outlook: BatchOutlook;
  /** Errors that would end the run before its first step, one for each cause. */
  readonly causes: readonly ProviderError[];
  /** Results of all checks for the steps that would run. */
  readonly findings: readonly Finding[];
  /** The batch that runs now in the same output folder; undefined if none does. */
  readonly running: Liveness | undefined;
}

/**
 * Finds out what `runBatch` would do, with the same options. Takes no lease and writes nothing, so that it works while
 * the batch runs. Signatures of the ledger are checked as in a run.
 */
export async function planRun(plan: ExpandedPlan, options: BatchOptions): Promise<PlannedRun> {
  const { out, state: root } = options;
  await assertReachable([...agentFoldersOf(plan), out, locateRoot(root)]);
  const causes: ProviderError[] = [];
  const collect = (error: unknown): void => {
    if (!ProviderError.isInstance(error)) throw error;
    causes.push(error);
  };
  const folders = options.out === undefined ? undefined : locateFolders(plan, options, collect);
  const state =
    (folders && (await readState(folders, options).catch(collect))) ??
    new BatchState(memoryLedger, []);
  const liveness = folders && (await readLiveness(folders.stateDir, sealOfFolders(folders)));
  const { config } = options;
  const stateDir = folders?.stateDir ?? '.';
  const outlook = await createOutlook({ plan, selection: options, config, state, stateDir });
  const actions = new Map(outlook.steps.map(({ id, action }) => [id, action]));
  const steps = plan.steps.filter(({ id }) => /run/.test(actions.get(id) ?? ''));
  const request = toPreflightRequest(options, stateDir);
  const groups = request === undefined ? [] : await checkGroups(steps, request);
  causes.push(...toCauses(groups));
  return {
    outlook,
    causes,
    findings: uniqueFindings(groups.flatMap(({ findings }) => findings)),
    running: liveness?.kind === 'alive' ? liveness : undefined,
  };
}

function locateFolders(
  plan: ExpandedPlan,
  { out = '.', state }: BatchOptions,
  collect: (error: unknown) => void,
): BatchFolders {
  const folders = new BatchFolders(resolve(out), locateState(out, state));
  try {
    checkStateLocation(out, state, agentFoldersOf(plan));
  } catch (error) {
    collect(error);
  }
  for (const [option, path] of [
    ['out', folders.out.path],
    ['state', folders.stateDir],
  ] as const) {
    const problem = findWriteProblem(path);
    if (problem !== undefined) collect(cannotWrite(option, path, problem));
  }
  return folders;
}

async function readState(folders: BatchFolders, options: BatchOptions): Promise<BatchState> {
  const found = await findLedger(folders, options).catch((error: unknown) => {
    throw ledgerProblem(folders.ledgerFile, error);
  });
  const isKept = options.fresh !== true && found.kind !== 'aside';
  const damage = isKept ? describeDamage(found.read) : [];
  return new BatchState(memoryLedger, entriesOf(found), damage);
}

/** Returns why nothing can be written to a folder that may not exist yet. */
function findWriteProblem(path: string): string | undefined {
  let nearest = path;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `${nearest} is not a writable folder`;
  }
}

function cannotWrite(option: string, path: string, problem: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Cannot write to ${path}: ${problem}`,
    hint: `Set \`${option}\` (\`--${option}\`) to a folder that can be written.`,
  });
}

function uniqueFindings(findings: readonly Finding[]): Finding[] {
  const known = new Map(findings.map((one) => [JSON.stringify([one.check, one.message]), one]));
  return [...known.values()];
}
