import type { BatchFile, BatchReport, StepReport } from '../../../../api/batch-report.js';
import type { ManifestFile } from '../../../../api/manifest.js';

/** The report with the ways through it that the page needs, each of them built once. */
export interface PageModel {
  readonly report: BatchReport;
  readonly stepById: ReadonlyMap<string, StepReport>;
  /** All files of the batch, and those that only a step knows of. */
  readonly files: readonly BatchFile[];
  readonly fileByPath: ReadonlyMap<string, BatchFile>;
  readonly neededBy: (step: StepReport) => readonly string[];
  /** The skipped steps by the step that is the reason. */
  readonly skippedBy: ReadonlyMap<string, readonly StepReport[]>;
}

export function createPageModel(report: BatchReport): PageModel {
  const files = [...report.files, ...findUnlisted(report)];
  const skipped = report.steps.filter(({ state }) => state === 'skipped');
  const neededBy = collect(
    report.steps.flatMap(({ id, needs }) => needs.map((need): [string, string] => [need, id])),
  );
  return {
    report,
    stepById: new Map(report.steps.map((step) => [step.id, step])),
    files,
    fileByPath: new Map(files.map((file) => [file.path, file])),
    neededBy: ({ id, planId }) => {
      const ofMatrix = planId === id ? [] : (neededBy.get(planId) ?? []);
      return [...(neededBy.get(id) ?? []), ...ofMatrix];
    },
    skippedBy: collect(
      skipped.map((step): [string, StepReport] => [step.skippedBecauseOf ?? '', step]),
    ),
  };
}

/** The files of a step; of a failed one, those that it had written by then. */
export function filesOfStep(step: StepReport): readonly ManifestFile[] {
  return step.files.length > 0 ? step.files : (step.error?.partial?.files ?? []);
}

/** What one step did to a file. */
export interface FileChange {
  readonly stepId: string;
  /** Undefined where the step's own list does not have the file. */
  readonly file: ManifestFile | undefined;
}

/** In the order in which the steps wrote it. */
export function findChanges(model: PageModel, file: BatchFile): readonly FileChange[] {
  return file.steps.map((stepId) => {
    const step = model.stepById.get(stepId);
    const files = step === undefined ? [] : filesOfStep(step);
    return { stepId, file: files.find((candidate) => isSameFile(candidate, file)) };
  });
}

/** What an isolated step has written lay elsewhere, and has the path alone in common. */
function isSameFile(one: ManifestFile, other: BatchFile): boolean {
  return one.path === other.path || one.absolutePath === other.absolutePath;
}

function findUnlisted(report: BatchReport): readonly BatchFile[] {
  const listed = new Set(report.files.map(({ path }) => path));
  const unlisted = new Map<string, BatchFile>();
  for (const step of report.steps) {
    for (const file of filesOfStep(step)) {
      const { path, absolutePath, kind, bytes, sha256Before, sha256After } = file;
      if (listed.has(path)) continue;
      const earlier = unlisted.get(path);
      unlisted.set(path, {
        path,
        absolutePath,
        kind: earlier === undefined ? kind : earlier.kind,
        bytes,
        sha256Before: earlier === undefined ? sha256Before : earlier.sha256Before,
        sha256After,
        steps: [...(earlier?.steps ?? []), step.id],
        conflicts: [],
      });
    }
  }
  return [...unlisted.values()];
}

function collect<T>(pairs: readonly (readonly [string, T])[]): ReadonlyMap<string, readonly T[]> {
  const collected = new Map<string, T[]>();
  for (const [key, value] of pairs) {
    const values = collected.get(key);
    if (values === undefined) collected.set(key, [value]);
    else values.push(value);
  }
  return collected;
}
