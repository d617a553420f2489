import type { BatchFile } from '../../../api/batch-report.js';
import type { ManifestFile } from '../../../api/manifest.js';
import type { StepReport } from '../../../api/step-report.js';

/** Position of a file that one step alone has written: the index of the step, and that of the file in its list. */
export type FileReference = readonly [step: number, file: number];

/**
 * Returns a function that finds a file of the batch in the list of its step, where it is the same in every respect.
 * Most files are written by one step: the page has them once.
 */
export function createFileReferences(
  steps: readonly Pick<StepReport, 'id' | 'files'>[],
): (file: BatchFile) => FileReference | undefined {
  const references = new Map<string, FileReference>();
  for (const [step, { files }] of steps.entries()) {
    for (const [index, { path }] of files.entries()) references.set(path, [step, index]);
  }
  return (file) => {
    const reference = references.get(file.path);
    if (reference === undefined) return undefined;
    const step = steps[reference[0]];
    const written = step?.files[reference[1]];
    if (step === undefined || written === undefined) return undefined;
    return isOnlyOf(file, step.id) && isSame(file, written) ? reference : undefined;
  };
}

/** Returns the file of the batch to which a reference points. Runs in the browser. */
export function resolveReference(
  [step, index]: FileReference,
  steps: readonly StepReport[],
): BatchFile[] {
  const { id = '', files = [] } = steps[step] ?? {};
  const file = files[index];
  if (file === undefined) return [];
  const { path, absolutePath, kind, bytes, sha256Before, sha256After, sensitive } = file;
  const rest = { sha256Before, sha256After, sensitive };
  return [{ path, absolutePath, kind, bytes, steps: [id], conflicts: [], ...rest }];
}

function isOnlyOf({ steps, conflicts }: BatchFile, id: string): boolean {
  return steps.length === 1 && steps[0] === id && conflicts.length === 0;
}

function isSame(file: BatchFile, written: ManifestFile): boolean {
  return (
    file.absolutePath === written.absolutePath &&
    file.kind === written.kind &&
    file.bytes === written.bytes &&
    file.sha256Before === written.sha256Before &&
    file.sha256After === written.sha256After &&
    file.sensitive === written.sensitive
  );
}
