import type { BatchFile, BatchReport } from '../../../api/batch-report.js';
import type { ManifestFile } from '../../../api/manifest.js';
import type { AttemptReport, StepReport } from '../../../api/step-report.js';
import { sumCosts } from '../../../base/usage/add-costs.js';
import { addUsage, NO_USAGE } from '../../../base/usage/add-usage.js';
import { defaultPlanId } from './default-plan-id.js';
import { type FileReference, resolveReference } from './file-references.js';
import { unpackCost } from './pack-cost.js';
import { unpackUsage } from './pack-usage.js';
import type {
  Complete,
  PackedAttempt,
  PackedFile,
  PackedReport,
  PackedStep,
} from './packed-report.js';

interface UnpackOrigin {
  readonly startMs: number;
  readonly root: string;
  /** Day of the prices of the batch. */
  readonly tableDate: string;
}

/** Restores the report of a page. Runs in the browser. */
export function unpackReport({ report, steps, files, root }: PackedReport): BatchReport {
  const startMs = Date.parse(report.startedAt);
  const origin = { startMs, root, tableDate: report.cost?.tableDate ?? '' };
  const unpacked = steps.map((step) => unpackStep(step, origin));
  return {
    ...report,
    steps: unpacked,
    files: files.flatMap((file) => {
      return isReference(file) ? resolveReference(file, unpacked) : unpackBatchFile(file, root);
    }),
  };
}

function isReference(file: PackedFile | FileReference): file is FileReference {
  return Array.isArray(file);
}

/** Names every property: one object for each step instead of several copies, because a large page has many steps. */
function unpackStep(step: PackedStep, origin: UnpackOrigin): Complete<StepReport> {
  const attempts = (step.attempts ?? []).map((one, index) => unpackAttempt(one, index, origin));
  const last = attempts.at(-1);
  return {
    id: step.id,
    planId: step.planId ?? defaultPlanId(step.id),
    needs: step.needs ?? [],
    folder: step.folder ?? '',
    state: step.state ?? 'succeeded',
    skippedBecauseOf: step.skippedBecauseOf,
    skip: step.skip,
    continueOnError: step.continueOnError,
    reused: step.reused ?? false,
    leftOut: step.leftOut,
    isolation: step.isolation ?? 'shared',
    prompt: step.prompt,
    attempts,
    durationMs: step.durationMs ?? 0,
    waitMs: step.waitMs ?? 0,
    text: step.text,
    data: step.data,
    files: (step.files ?? []).map((file) => unpackFile(file, origin.root)),
    cost: sumCosts(attempts.map(({ cost }) => cost)),
    usage: unpackUsage(step.usage) ?? sumOfAttempts(attempts),
    model: step.model,
    generationId: step.generationId ?? last?.generationId,
    sessionId: step.sessionId ?? last?.sessionId,
    deniedTools: step.deniedTools ?? [],
    expectations: step.expectations,
    warnings: step.warnings ?? [],
    error: step.error,
    commit: step.commit,
  };
}

function unpackAttempt(
  attempt: PackedAttempt,
  index: number,
  { startMs, tableDate }: UnpackOrigin,
): Complete<AttemptReport> {
  const usage = unpackUsage(attempt.usage);
  const { from, work, merge } = attempt;
  const begin = startMs + (from ?? 0);
  return {
    number: attempt.number ?? index + 1,
    lane: attempt.lane ?? 0,
    startedAt: from === undefined ? (attempt.startedAt ?? '') : toIso(begin),
    endedAt: work === undefined ? attempt.endedAt : toIso(begin + work),
    mergedAt: merge === undefined ? attempt.mergedAt : toIso(begin + merge),
    waitedMs: attempt.waitedMs,
    reason: attempt.reason,
    changed: attempt.changed,
    model: attempt.model,
    outcome: attempt.outcome ?? 'succeeded',
    message: attempt.message,
    repairs: attempt.repairs ?? 0,
    usage,
    cost: unpackCost(attempt.cost, usage, tableDate),
    generationId: attempt.generationId,
    sessionId: attempt.sessionId,
    job: attempt.job,
  };
}

function unpackFile({ steps: _, conflicts: __, ...file }: PackedFile, root: string): ManifestFile {
  return {
    ...file,
    absolutePath: file.absolutePath ?? root + file.path,
    kind: file.kind ?? 'modified',
    tools: file.tools ?? [],
    toolIds: [],
    bytes: file.bytes ?? 0,
    confirmed: file.confirmed ?? true,
    outsideWorkspace: file.outsideWorkspace ?? false,
  };
}

function unpackBatchFile(file: PackedFile, root: string): BatchFile {
  return {
    ...file,
    absolutePath: file.absolutePath ?? root + file.path,
    kind: file.kind ?? 'modified',
    bytes: file.bytes ?? 0,
    steps: file.steps ?? [],
    conflicts: file.conflicts ?? [],
  };
}

function sumOfAttempts(attempts: readonly AttemptReport[]): StepReport['usage'] {
  if (attempts.length === 0) return undefined;
  if (attempts.length === 1) return attempts[0]?.usage ?? NO_USAGE;
  return attempts.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
}

function toIso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
