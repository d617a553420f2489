import type { ManifestFile } from '../../api/manifest.js';
import type { FileState } from '../../base/fs/fingerprint.js';
import { toSlashes } from '../../base/fs/paths.js';
import { explainSensitivity } from './sensitive-files.js';

/** Explains why a change of a file needs attention; undefined for other files and for a file that did not change. */
export function explainChange(
  cliSettings: { readonly contextFiles: readonly string[] } | undefined,
  file: Pick<ManifestFile, 'path' | 'kind' | 'outsideWorkspace' | 'absolutePath'>,
  before: Buffer | string | null | undefined,
  after: FileState | undefined,
): string | undefined {
  if (file.kind === 'unchanged') return undefined;
  return explainSensitivity({
    path: file.outsideWorkspace ? toSlashes(file.absolutePath) : file.path,
    contextFiles: cliSettings?.contextFiles ?? [],
    before: before?.toString(),
    after: after?.content?.toString(),
  });
}
