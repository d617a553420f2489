import type { StepSelection } from '../../api/batch-options.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import type { ConfigProblem } from '../../api/error.js';
import { createGlob, isBoundedGlob } from '../../base/fs/glob.js';
import { createSuggest } from '../../base/text/nearest-name.js';
import { invalidConfig } from '../../config/config-problem.js';
import { stateOfStep } from '../ledger/build-report.js';
import type { LedgerStepState } from '../ledger/ledger-step-state.js';
import { orderSteps } from '../plan/order-steps.js';

/** Most ids in a message. */
const MOST_NAMES = 5;

/** Steps of one run. */
export interface SelectedSteps {
  /** Ids of the steps that run. */
  readonly selected: ReadonlySet<string>;
  /** Ids of the steps that the run leaves out, in the order of the plan. */
  readonly leftOut: readonly string[];
  /** Ids of steps that were not asked for and run too: a selected step needs them, and they have no result. */
  readonly added: readonly string[];
}

type StateOf = (id: string) => LedgerStepState;

/** True if the options select a part of the plan. */
export function hasSelection({ only, from, skip, retryFailed }: StepSelection): boolean {
  return only !== undefined || from !== undefined || skip !== undefined || retryFailed === true;
}

/**
 * Selects the steps of a run. `only` and `from` add up, `retryFailed` keeps those of them that have to be tried again,
 * `skip` takes steps away. A step whose needs have neither a result nor a place in the run cannot run: its needs are
 * added, unless `skip` names them. The states are those before the run. Throws INVALID_CONFIG.
 */
export function selectSteps(
  steps: readonly PlannedStep[],
  selection: StepSelection,
  stateOf: StateOf,
): SelectedSteps {
  const all = steps.map(({ id }) => id);
  if (!hasSelection(selection)) return { selected: new Set(all), leftOut: [], added: [] };
  const { only, from, skip } = findNamed(steps, selection);
  const ordered = orderSteps(steps);
  const asked = new Set(
    only === undefined && from === undefined
      ? all
      : [...(only ?? []), ...withDependents(ordered, from ?? new Set())],
  );
  if (selection.retryFailed === true) {
    const failed = findFailed(steps, stateOf);
    for (const id of asked) if (!failed.has(id)) asked.delete(id);
  }
  for (const id of skip ?? []) asked.delete(id);
  const selected = addNeeds(ordered, asked, skip ?? new Set(), stateOf);
  if (selected.size === 0 && !isNothingLeftToRetry(selection, all, stateOf)) {
    throw nothingSelected(selection);
  }
  return {
    selected,
    leftOut: all.filter((id) => !selected.has(id)),
    added: all.filter((id) => selected.has(id) && !asked.has(id)),
  };
}

/** Returns the warning about steps that run although they were not asked for. */
export function describeAdded({ added }: SelectedSteps): BatchWarning[] {
  if (added.length === 0) return [];
  const more = added.length - MOST_NAMES;
  const names = [...added.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const message = `Steps that were not selected run or are merged too, because a selected step needs them and they have no result: ${names}`;
  return [{ code: 'NEEDS_ADDED', message, steps: added }];
}

type Ids = ReadonlySet<string>;

/** Finds the steps that each pattern names. Throws with all patterns that name none. */
function findNamed(steps: readonly PlannedStep[], selection: StepSelection) {
  const problems: ConfigProblem[] = [];
  const suggest = createSuggest(new Set(steps.flatMap(({ id, planId }) => [id, planId])));
  const find = (key: 'only' | 'from' | 'skip'): Ids | undefined => {
    const given = selection[key];
    if (given === undefined) return undefined;
    const found = new Set<string>();
    for (const pattern of typeof given === 'string' ? [given] : given) {
      const ids = matchSteps(steps, pattern);
      for (const id of ids) found.add(id);
      if (ids.length > 0) continue;
      const problem = `names no step of the plan${suggest(pattern)}`;
      problems.push({ key, value: pattern, problem });
    }
    return found;
  };
  const named = { only: find('only'), from: find('from'), skip: find('skip') };
  if (problems.length > 0) throw invalidConfig(problems);
  return named;
}

/** Lists the steps that a pattern names: by id, else by the id in the plan, else by glob. */
export function matchSteps(steps: readonly PlannedStep[], pattern: string): string[] {
  const idsOf = (isNamed: (step: PlannedStep) => boolean): string[] => {
    return steps.filter(isNamed).map(({ id }) => id);
  };
  const exact = idsOf(({ id, planId }) => id === pattern || planId === pattern);
  if (exact.length > 0 || !isBoundedGlob(pattern)) return exact;
  // Brackets belong to the ids of a matrix. In a glob they would be a set of characters.
  const matches = createGlob(pattern.replaceAll(/[[\]]/g, '\\$&'));
  return idsOf(({ id, planId }) => matches(id) || matches(planId));
}

/** Adds all steps that need one of the roots, directly or indirectly. `ordered` has each step after those it needs. */
function withDependents(ordered: readonly PlannedStep[], roots: Ids): Ids {
  const found = new Set(roots);
  const isFound = createNeedsCheck((needs) => needs.some((need) => found.has(need)));
  for (const { id, needs } of ordered) if (isFound(needs)) found.add(id);
  return found;
}

/** Remembers the answer for each list of needs: the steps of a matrix share one list, which may be as long as the plan. */
function createNeedsCheck(
  check: (needs: readonly string[]) => boolean,
): (needs: readonly string[]) => boolean {
  const known = new Map<readonly string[], boolean>();
  return (needs) => {
    const answer = known.get(needs) ?? check(needs);
    known.set(needs, answer);
    return answer;
  };
}

/** Finds steps that ended badly in the last run, were skipped because of that, were interrupted, or are not merged yet. */
function findFailed(steps: readonly PlannedStep[], stateOf: StateOf): Ids {
  const isFailed = (id: string): boolean => {
    const { error, isCancelled, skip, done, attempts } = stateOf(id);
    if (error !== undefined || isCancelled) return true;
    if (skip !== undefined) return skip.reason === 'need' && !isByCondition(skip.stepId);
    // An attempt that an earlier run has saved counts, too: the run merges its changes.
    return done === undefined && attempts.length > 0;
  };
  const isByCondition = (id = ''): boolean => stateOf(id).skip?.reason === 'condition';
  return new Set(steps.map(({ id }) => id).filter(isFailed));
}

/** Adds needed steps without a result. Removes steps that need a step which is left out and has no result. */
function addNeeds(
  ordered: readonly PlannedStep[],
  asked: Ids,
  skipped: Ids,
  stateOf: StateOf,
): ReadonlySet<string> {
  // A result that the last run has found out of date, or has skipped, is not one that other steps can use.
  const hasResult = (id: string): boolean => {
    return !asked.has(id) && stateOfStep(stateOf(id)) === 'succeeded';
  };
  const available = new Set<string>();
  const areAvailable = createNeedsCheck((needs) => needs.every((need) => available.has(need)));
  for (const { id, needs } of ordered) {
    if (hasResult(id) || (!skipped.has(id) && areAvailable(needs))) available.add(id);
  }
  const selected = new Set([...asked].filter((id) => available.has(id)));
  const added = new Set<readonly string[]>();
  for (const { id, needs } of ordered.toReversed()) {
    if (!selected.has(id) || added.has(needs)) continue;
    added.add(needs);
    for (const need of needs) if (!hasResult(need)) selected.add(need);
  }
  return selected;
}

/** True if an earlier run has left nothing to retry: a run of no step then succeeds. */
function isNothingLeftToRetry(
  { retryFailed }: StepSelection,
  ids: readonly string[],
  stateOf: StateOf,
): boolean {
  return retryFailed === true && ids.some((id) => stateOf(id).attempts.length > 0);
}

function nothingSelected({ only, from, skip, retryFailed }: StepSelection) {
  if (retryFailed === true) {
    const problem = 'needs an earlier run of the batch, and the ledger has none';
    return invalidConfig([{ key: 'retryFailed', value: true, problem }]);
  }
  const key = skip === undefined ? (only === undefined ? 'from' : 'only') : 'skip';
  const problem = 'leaves no step that can run';
  return invalidConfig([{ key, value: { only, from, skip }[key], problem }]);
}
