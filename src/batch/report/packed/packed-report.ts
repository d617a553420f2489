import type { BatchFile, BatchReport } from '../../../api/batch-report.js';
import type { ManifestFile } from '../../../api/manifest.js';
import type { Usage } from '../../../api/result.js';
import type { AttemptReport, StepReport } from '../../../api/step-report.js';
import type { Transcript } from '../transcript/transcript.js';
import type { FileReference } from './file-references.js';
import type { PackedCost } from './pack-cost.js';
import type { PackedUsage } from './pack-usage.js';

/**
 * Data of the page. Steps, attempts and files are packed: values that are the same almost everywhere are left out, and
 * times are numbers. A browser spends more time on reading a large page than on showing it.
 */
export interface PackedReport {
  /** Time at which the page was written, ISO 8601. */
  readonly writtenAt: string;
  readonly report: Omit<BatchReport, 'steps' | 'files'>;
  readonly steps: readonly PackedStep[];
  readonly files: readonly (PackedFile | FileReference)[];
  /** Folder of the files. Absolute paths in this folder are left out. */
  readonly root: string;
  /** Number of files that the page leaves out. */
  readonly filesLeftOut: number;
  /** Transcripts by the index of the step. */
  readonly transcripts: Readonly<Record<string, Transcript>>;
}

/** Parts of a step that the page shows shortened. `result.json` and `diff.patch` of the step have them whole. */
export type CutPart = 'prompt' | 'text' | 'data' | 'diffs' | 'files';

/** Default: absent. `planId` is the id without its brackets, `folder` empty, `isolation` shared; lists are empty, numbers 0. */
export interface PackedStep
  extends Sparse<Omit<StepReport, 'id' | 'attempts' | 'files' | 'usage' | 'cost'>> {
  readonly id: string;
  readonly usage?: PackedUsage | Usage | undefined;
  readonly attempts?: readonly PackedAttempt[] | undefined;
  readonly files?: readonly PackedFile[] | undefined;
  readonly cut?: readonly CutPart[] | undefined;
}

/** Default: absent. `number` is the position in the list, `outcome` is succeeded. */
export interface PackedAttempt extends Sparse<Omit<AttemptReport, 'usage' | 'cost'>> {
  readonly usage?: PackedUsage | Usage | undefined;
  readonly cost?: PackedCost | undefined;
  /** Start in milliseconds after the start of the batch, in place of `startedAt`. */
  readonly from?: number | undefined;
  /** End of the work in milliseconds after the start of the attempt, in place of `endedAt`. */
  readonly work?: number | undefined;
  /** End of the merge in milliseconds after the start of the attempt, in place of `mergedAt`. */
  readonly merge?: number | undefined;
}

/** A file of the batch or of a step. Default: `confirmed` true, `outsideWorkspace` false, `kind` modified. */
export interface PackedFile
  extends Sparse<Omit<ManifestFile, 'path' | 'toolIds'>>,
    Sparse<Pick<BatchFile, 'steps' | 'conflicts'>> {
  readonly path: string;
}

/** The same properties, each of which may be absent. */
type Sparse<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The same type with every property named: the compiler reports one that was forgotten. */
export type Complete<T> = { readonly [K in keyof Required<T>]: T[K] };
