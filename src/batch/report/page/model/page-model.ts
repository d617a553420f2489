import type { BatchFile, BatchReport } from '../../../../api/batch-report.js';
import type { ManifestFile } from '../../../../api/manifest.js';
import type { StepReport } from '../../../../api/step-report.js';
import type { CutPart } from '../../packed/packed-report.js';
import type { Transcript } from '../../transcript/transcript.js';

/** The report with the lookups that the page needs. Each lookup is built once. */
export interface PageModel {
  readonly report: BatchReport;
  readonly stepById: ReadonlyMap<string, StepReport>;
  /** Files of the batch, followed by files that only a step lists. */
  readonly files: readonly BatchFile[];
  readonly fileByPath: ReadonlyMap<string, BatchFile>;
  /** Ids of the steps that need a step, or the matrix to which the step belongs. */
  readonly neededBy: (step: StepReport) => readonly string[];
  /** Skipped steps by the id of the step that caused the skip; `''` if the report names no cause. */
  readonly skippedBy: ReadonlyMap<string, readonly StepReport[]>;
  /** Time at which the page was written, ISO 8601. */
  readonly writtenAt: string;
  /** Transcripts of steps, by the id of the step. Of a large batch, not every step has one. */
  readonly transcripts: ReadonlyMap<string, Transcript>;
  /** Parts that the page shows shortened, by the id of the step. */
  readonly cutParts: ReadonlyMap<string, readonly CutPart[]>;
  /** Number of files that the page leaves out. */
  readonly filesLeftOut: number;
}

/** What the page has beside the report. */
export type PageModelExtras = Pick<
  PageModel,
  'writtenAt' | 'transcripts' | 'cutParts' | 'filesLeftOut'
>;

export function createPageModel(
  report: BatchReport,
  extras: Partial<PageModelExtras> = {},
): PageModel {
  const files = [...report.files, ...findUnlisted(report)];
  const skipped = report.steps.filter(({ state }) => state === 'skipped');
  let dependents: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    report,
    stepById: new Map(report.steps.map((step) => [step.id, step])),
    files,
    fileByPath: new Map(files.map((file) => [file.path, file])),
    neededBy: ({ id, planId }) => {
      // The first page of a step builds the lookup, so that a large report opens without this cost.
      dependents ??= collect(
        report.steps.flatMap(({ id: step, needs }) =>
          needs.map((need): [string, string] => [need, step]),
        ),
      );
      const ofMatrix = planId === id ? [] : (dependents.get(planId) ?? []);
      return [...(dependents.get(id) ?? []), ...ofMatrix];
    },
    skippedBy: collect(
      skipped.map((step): [string, StepReport] => [step.skippedBecauseOf ?? '', step]),
    ),
    writtenAt: extras.writtenAt ?? report.endedAt,
    transcripts: extras.transcripts ?? new Map(),
    cutParts: extras.cutParts ?? new Map(),
    filesLeftOut: extras.filesLeftOut ?? 0,
  };
}

/** Returns the files of a step. For a failed step without files: the files of the partial output in its error. */
export function filesOfStep(step: StepReport): readonly ManifestFile[] {
  return step.files.length > 0 ? step.files : (step.error?.partial?.files ?? []);
}

/** Change of a file by one step. */
export interface FileChange {
  readonly stepId: string;
  /** Undefined if the step does not list the file. */
  readonly file: ManifestFile | undefined;
}

/** Returns the changes of a file, in the order in which the steps wrote it. */
export function findChanges(model: PageModel, file: BatchFile): readonly FileChange[] {
  return file.steps.map((stepId) => {
    const step = model.stepById.get(stepId);
    const files = step === undefined ? [] : filesOfStep(step);
    return { stepId, file: files.find((candidate) => isSameFile(candidate, file)) };
  });
}

/** True if the paths agree. Absolute paths may differ, because an isolated step writes in another folder. */
function isSameFile(one: ManifestFile, other: BatchFile): boolean {
  return one.path === other.path || one.absolutePath === other.absolutePath;
}

function findUnlisted(report: BatchReport): readonly BatchFile[] {
  const listed = new Set(report.files.map(({ path }) => path));
  const unlisted = new Map<string, BatchFile>();
  for (const step of report.steps) {
    for (const file of filesOfStep(step)) {
      const { path, absolutePath, kind, bytes, sha256Before, sha256After, sensitive } = file;
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
        sensitive,
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
