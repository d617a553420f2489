import type { BatchFile } from '../../../api/batch-report.js';
import type { ManifestFile } from '../../../api/manifest.js';
import type { AttemptReport, StepReport } from '../../../api/step-report.js';
import { addUsage, NO_USAGE } from '../../../base/usage/add-usage.js';
import { defaultPlanId } from './default-plan-id.js';
import { packCost } from './pack-cost.js';
import { packUsage } from './pack-usage.js';
import type { Complete, CutPart, PackedAttempt, PackedFile, PackedStep } from './packed-report.js';

/** Characters of a hash that the page shows. */
const SHOWN_HASH = 16;

export interface PackOrigin {
  /** Start of the batch in milliseconds. */
  readonly startMs: number;
  /** Folder whose absolute paths are left out, with a slash at its end; empty if there is none. */
  readonly root: string;
}

/** Packs a step for the page. */
export function packStep(
  step: StepReport,
  origin: PackOrigin,
  cut: readonly CutPart[],
): Complete<PackedStep> {
  const { id, planId, needs, folder, isolation, reused, durationMs, waitMs } = step;
  const { deniedTools, warnings, attempts, files, usage, generationId, sessionId } = step;
  const last = attempts.at(-1);
  return {
    id,
    planId: unless(planId === defaultPlanId(id), planId),
    needs: unlessEmpty(needs),
    folder: unless(folder === '', folder),
    state: unless(step.state === 'succeeded', step.state),
    skippedBecauseOf: step.skippedBecauseOf,
    skip: step.skip,
    continueOnError: step.continueOnError,
    reused: unless(!reused, reused),
    leftOut: step.leftOut,
    isolation: unless(isolation === 'shared', isolation),
    prompt: step.prompt,
    attempts: unlessEmpty(attempts.map((attempt, index) => packAttempt(attempt, index, origin))),
    durationMs: unless(durationMs === 0, durationMs),
    waitMs: unless(waitMs === 0, waitMs),
    text: step.text,
    data: step.data,
    files: unlessEmpty(files.map((file) => packFile(file, origin))),
    usage: unless(isSumOfAttempts(step), packUsage(usage)),
    model: step.model,
    generationId: unless(generationId === last?.generationId, generationId),
    sessionId: unless(sessionId === last?.sessionId, sessionId),
    deniedTools: unlessEmpty(deniedTools),
    warnings: unlessEmpty(warnings),
    expectations: step.expectations,
    error: step.error,
    commit: step.commit,
    cut: unlessEmpty(cut),
  };
}

function packAttempt(
  attempt: AttemptReport,
  index: number,
  { startMs }: PackOrigin,
): PackedAttempt {
  const { number, lane, startedAt, endedAt, mergedAt, outcome, repairs, usage, cost, ...rest } =
    attempt;
  const from = offset(startedAt, startMs);
  const begin = from === undefined ? startMs : startMs + from;
  const work = offset(endedAt, begin);
  const merge = offset(mergedAt, begin);
  return {
    ...rest,
    number: unless(number === index + 1, number),
    lane: unless(lane === 0, lane),
    from,
    startedAt: unless(from !== undefined, startedAt),
    work,
    endedAt: unless(work !== undefined, endedAt),
    merge,
    mergedAt: unless(merge !== undefined, mergedAt),
    outcome: unless(outcome === 'succeeded', outcome),
    repairs: unless(repairs === 0, repairs),
    usage: packUsage(usage),
    cost: packCost(cost, usage),
  };
}

/** Packs a file of a step or of the batch. Hashes are shortened, because the page shows their beginning alone. */
export function packFile(file: ManifestFile | BatchFile, { root }: PackOrigin): PackedFile {
  const { absolutePath, sha256Before, sha256After, kind } = file;
  const { toolIds: _, tools, ...rest } = { toolIds: [], tools: [], ...file };
  return {
    ...rest,
    kind: unless(kind === 'modified', kind),
    absolutePath: unless(absolutePath === root + file.path, absolutePath),
    sha256Before: sha256Before?.slice(0, SHOWN_HASH),
    sha256After: sha256After?.slice(0, SHOWN_HASH),
    tools: unlessEmpty(tools),
    ...('confirmed' in file && file.confirmed ? { confirmed: undefined } : {}),
    ...('outsideWorkspace' in file && !file.outsideWorkspace
      ? { outsideWorkspace: undefined }
      : {}),
    ...('conflicts' in file && file.conflicts.length === 0 ? { conflicts: undefined } : {}),
  };
}

/** Returns the milliseconds from `startMs` to a time. Undefined if the time would not be the same text again. */
function offset(iso: string | undefined, startMs: number): number | undefined {
  const instant = iso === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(instant) || Number.isNaN(startMs)) return undefined;
  return new Date(instant).toISOString() === iso ? instant - startMs : undefined;
}

function isSumOfAttempts({ usage, attempts }: StepReport): boolean {
  if (usage === undefined) return attempts.length === 0;
  const sum = attempts.reduce((all, attempt) => addUsage(all, attempt.usage), NO_USAGE);
  return JSON.stringify(sum) === JSON.stringify(usage);
}

function unless<T>(isDefault: boolean, value: T): T | undefined {
  return isDefault ? undefined : value;
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
