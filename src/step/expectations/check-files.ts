import type { ExpectedFiles, MissingExpectation } from '../../api/expectations.js';
import type { ManifestFile } from '../../api/manifest.js';
import { createGlob } from '../../base/fs/glob.js';
import { countOf } from '../../base/text/count-of.js';
import { listPaths, quote } from './wording.js';

const MOST_DETAILED = 100;

type ChangedFile = Pick<ManifestFile, 'path' | 'kind' | 'outsideWorkspace'>;

/** Checks how many of the written files match each glob. Files outside the workspace do not count. */
export function checkFiles(
  expected: readonly (string | ExpectedFiles)[],
  files: readonly ChangedFile[],
): MissingExpectation[] {
  const written = files
    .filter(({ kind, outsideWorkspace }) => {
      return (kind === 'created' || kind === 'modified') && !outsideWorkspace;
    })
    .map(({ path }) => path);
  return expected.flatMap((one) =>
    checkGlob(typeof one === 'string' ? { glob: one } : one, written),
  );
}

function checkGlob(
  { glob, min = 1, max = Number.POSITIVE_INFINITY }: ExpectedFiles,
  written: readonly string[],
): MissingExpectation[] {
  const paths = written.filter(createGlob(glob));
  if (paths.length >= min && paths.length <= max) return [];
  const isTooFew = paths.length < min;
  const wanted = isTooFew
    ? `At least ${countOf(min, 'file')} created or modified must match`
    : `At most ${countOf(max, 'file')} created or modified may match`;
  const found = paths.length === 0 ? 'none does' : `these do: ${listPaths(paths)}`;
  const others = written.length === 0 ? 'no file' : listPaths(written);
  return [
    {
      kind: 'files',
      message: `${wanted} ${quote(glob)}; ${found}`,
      ...(isTooFew ? { detail: `Created or modified so far: ${others}` } : {}),
      paths,
    },
  ];
}

/** Checks that every created, changed or deleted file matches one of the globs, also outside the workspace. */
export function checkNoChangesOutside(
  globs: readonly string[],
  files: readonly ChangedFile[],
): MissingExpectation[] {
  const matchers = globs.map(createGlob);
  const outside = files.filter(({ kind, path }) => {
    return kind !== 'unchanged' && !matchers.some((matches) => matches(path));
  });
  if (outside.length === 0) return [];
  const paths = outside.map(({ path }) => path);
  const allowed = globs.length === 0 ? 'no file may change' : `only ${listPaths(globs)} may change`;
  return [
    {
      kind: 'noChangesOutside',
      message: `${countOf(paths.length, 'file')} changed that must not change (${allowed}): ${listPaths(paths)}`,
      detail: outside
        .slice(0, MOST_DETAILED)
        .map(({ kind, path }) => `${kind}: ${quote(path)}`)
        .join('\n'),
      paths,
    },
  ];
}
