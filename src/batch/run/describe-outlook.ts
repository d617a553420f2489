import { relative } from 'node:path';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { Expectations } from '../../api/expectations.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import { toSlashes } from '../../base/fs/paths.js';
import { countOf } from '../../base/text/count-of.js';
import { describeExpectations } from '../plan/describe-expectations.js';
import { describeSettings, findCommonSettings } from '../plan/describe-settings.js';
import type { BatchOutlook, StepAction, StepOutlook } from './outlook.js';
import { describeRerun } from './rerun-reason.js';

const ACTIONS: readonly StepAction[] = ['run', 'may run', 'merge', 'reuse', 'skip'];

/**
 * Describes what a run would do as plain lines: the numbers, the settings of all steps, and a line for each step of the
 * plan. The steps of a matrix share one line, with the settings that differ from those of all steps below it.
 */
export function describeOutlook(
  plan: ExpandedPlan,
  outlook: BatchOutlook,
  config: ProviderConfig = {},
): string[] {
  const { name, limits, steps, baseDir } = plan;
  const counts = ACTIONS.flatMap((action) => {
    const count = outlook.counts[action];
    return count === 0 ? [] : [`${count} ${action}`];
  });
  const configs = new Map(steps.map((step) => [step.config, { ...config, ...step.config }]));
  const common = findCommonSettings([...configs.values()]);
  const shared = describeSettings(common, baseDir);
  const limited = Object.entries(limits).filter(([, value]) => value !== undefined);
  const lines = [`${name}: ${countOf(steps.length, 'step')} · ${counts.join(' · ')}`];
  if (limited.length > 0) lines.push(`limits: ${limited.map((pair) => pair.join(' ')).join(', ')}`);
  if (shared.length > 0) lines.push(`settings of all steps: ${shared.join(' · ')}`);
  lines.push('');
  const outlooks = new Map(outlook.steps.map((one) => [one.id, one]));
  for (const [planId, group] of groupByPlanId(steps)) {
    const ofGroup = group.flatMap(({ id }) => outlooks.get(id) ?? []);
    lines.push(`${nameGroup(planId, group)}: ${describeActions(ofGroup, baseDir)}`);
    const own = findCommonSettings(group.map((step) => configs.get(step.config) ?? {}));
    const facts = [...describeWork(group), ...describeSettings(own, baseDir, common)];
    if (facts.length > 0) lines.push(`    ${facts.join(' · ')}`);
  }
  if (outlook.added.length > 0) {
    lines.push('', `Not selected, but a selected step needs it: ${outlook.added.join(', ')}`);
  }
  return lines.map(toOneLine);
}

/** Replaces control characters: a file name in an id may hold line breaks and escape sequences of the terminal. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}

function groupByPlanId(steps: readonly PlannedStep[]): ReadonlyMap<string, PlannedStep[]> {
  const groups = new Map<string, PlannedStep[]>();
  for (const step of steps) {
    const group = groups.get(step.planId);
    if (group === undefined) groups.set(step.planId, [step]);
    else group.push(step);
  }
  return groups;
}

function nameGroup(planId: string, group: readonly PlannedStep[]): string {
  const [first] = group;
  const isMatrix = first !== undefined && first.id !== planId;
  return isMatrix && group.length > 1 ? `${planId}[…] × ${group.length}` : (first?.id ?? planId);
}

/** Describes the actions of the steps of a group. Equal actions and reasons are counted. */
function describeActions(outlooks: readonly StepOutlook[], baseDir: string): string {
  const kinds = new Map<string, { readonly first: StepOutlook; readonly all: StepOutlook[] }>();
  for (const outlook of outlooks) {
    const key = `${outlook.action} ${outlook.reason ?? outlook.message}`;
    const kind = kinds.get(key) ?? { first: outlook, all: [] };
    kinds.set(key, kind);
    kind.all.push(outlook);
  }
  const sorted = [...kinds.values()].sort((a, b) => {
    return ACTIONS.indexOf(b.first.action) - ACTIONS.indexOf(a.first.action);
  });
  return sorted
    .map(({ first, all }) => {
      const count = outlooks.length === all.length ? '' : `${all.length} `;
      const why = describeReason(all, baseDir);
      return `${count}${first.action}${why === '' ? '' : ` (${why})`}`;
    })
    .join(', ');
}

function describeReason(outlooks: readonly StepOutlook[], baseDir: string): string {
  const [first] = outlooks;
  if (first === undefined || first.action === 'may run' || first.reason === undefined) {
    return first?.message ?? '';
  }
  const { reason } = first;
  const changed = new Set(outlooks.flatMap((one) => one.changed ?? []));
  const names = [...changed].map((one) => {
    return reason === 'inputs' ? toSlashes(relative(baseDir, one)) : one;
  });
  return describeRerun({ reason, changed: names });
}

/** Describes what a step expects. Steps of a matrix expect files of their own: of these, only the kinds are named. */
function describeExpected(group: readonly PlannedStep[], expects: Expectations): string {
  if (group.length === 1) return describeExpectations(expects);
  const kinds = Object.entries(expects).filter(([, value]) => value !== undefined);
  return kinds.map(([kind]) => kind).join(', ');
}

/** Describes what the steps of a group have in common beside their configuration. */
function describeWork(group: readonly PlannedStep[]): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { isolation, inputs, repair, expects } = first;
  return [
    ...(isolation === 'shared' ? [] : [`isolation ${isolation}`]),
    ...(inputs.length === 0 || group.length > 1 ? [] : [countOf(inputs.length, 'input file')]),
    ...(expects === undefined ? [] : [`expects ${describeExpected(group, expects)}`]),
    ...(repair === 0 ? [] : [`repair ${repair}`]),
  ];
}
