import type { BatchFile, BatchReport } from '../../../api/batch-report.js';
import type { ManifestFile } from '../../../api/manifest.js';
import type { AttemptReport, StepReport } from '../../../api/step-report.js';
import { addUsage, NO_USAGE } from '../../../base/usage/add-usage.js';
import type { PackedAttempt, PackedFile, PackedReport, PackedStep } from './packed-report.js';

/** Restores the report of a page. Runs in the browser. */
export function unpackReport({ report, steps, files, root }: PackedReport): BatchReport {
  const startMs = Date.parse(report.startedAt);
  return {
    ...report,
    steps: steps.map((step) => unpackStep(step, startMs, root)),
    files: files.map((file) => unpackBatchFile(file, root)),
  };
}

function unpackStep(packed: PackedStep, startMs: number, root: string): StepReport {
  const { cut: _, ...step } = packed;
  const attempts = (step.attempts ?? []).map((one, index) => unpackAttempt(one, index, startMs));
  const last = attempts.at(-1);
  return {
    ...step,
    planId: step.planId ?? step.id,
    needs: step.needs ?? [],
    folder: step.folder ?? '',
    state: step.state ?? 'succeeded',
    reused: step.reused ?? false,
    isolation: step.isolation ?? 'shared',
    attempts,
    durationMs: step.durationMs ?? 0,
    waitMs: step.waitMs ?? 0,
    files: (step.files ?? []).map((file) => unpackFile(file, root)),
    usage: step.usage ?? sumOfAttempts(attempts),
    generationId: step.generationId ?? last?.generationId,
    sessionId: step.sessionId ?? last?.sessionId,
    deniedTools: step.deniedTools ?? [],
    warnings: step.warnings ?? [],
  };
}

function unpackAttempt(packed: PackedAttempt, index: number, startMs: number): AttemptReport {
  const { from, work, merge, ...attempt } = packed;
  const begin = startMs + (from ?? 0);
  const endedAt = work === undefined ? attempt.endedAt : toIso(begin + work);
  const mergedAt = merge === undefined ? attempt.mergedAt : toIso(begin + merge);
  return {
    ...attempt,
    number: attempt.number ?? index + 1,
    lane: attempt.lane ?? 0,
    startedAt: from === undefined ? (attempt.startedAt ?? '') : toIso(begin),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(mergedAt === undefined ? {} : { mergedAt }),
    outcome: attempt.outcome ?? 'succeeded',
    repairs: attempt.repairs ?? 0,
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
  return attempts.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
}

function toIso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
