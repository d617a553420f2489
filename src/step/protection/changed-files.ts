import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { canonicalPath, realpathOf, toSlashes } from '../../base/fs/paths.js';
import type { StepRecord } from './step-record.js';

/** A protected file that an earlier step has changed, and that is as the step left it. */
export interface ChangedFile {
  readonly path: string;
  readonly generationId: string;
  /** True if the step did not end: another program may have changed the file. */
  readonly isAssumed?: boolean;
}

/** Record of an earlier step, of this process or another one. */
export type EarlierRecord = Pick<
  StepRecord,
  'changed' | 'generationId' | 'workspace' | 'isAssumed'
> & {
  /** True if a file is known by its path relative to the workspace, too: worktrees and copies have other folders. */
  readonly hasCopies?: boolean | undefined;
};

interface KnownFile {
  readonly path: string;
  readonly name: string;
  readonly sha256: string | undefined;
  readonly record: EarlierRecord;
}

/**
 * Finds protected files that still are as an earlier step left them.
 *
 * @param records the latest first
 * @param present hashes of the files that are there now, by path. Paths of records are canonical
 */
export function findChangedFiles(
  records: readonly EarlierRecord[],
  workingDir: string,
  present: ReadonlyMap<string, string | undefined>,
): readonly ChangedFile[] {
  if (records.length === 0) return [];
  const root = realpathOf(workingDir);
  const known = records.flatMap(listFiles);
  const found = [...present].flatMap(([path, sha256]) => {
    const real = canonicalPath(path);
    const name = nameIn(root, real);
    const same = known.filter((file) => file.sha256 === sha256);
    const file =
      same.find((file) => file.path === real) ??
      same.find((file) => file.name === name && file.record.hasCopies === true);
    return file === undefined ? [] : [describe(path, file.record)];
  });
  const removed = known.flatMap(({ path, sha256, record }) => {
    const isHere = !nameIn(root, path).startsWith('../');
    return sha256 === undefined && isHere && !existsSync(path) ? [describe(path, record)] : [];
  });
  const byPath = new Map([...found, ...removed].reverse().map((file) => [file.path, file]));
  return [...byPath.values()].reverse();
}

function listFiles(record: EarlierRecord): KnownFile[] {
  return Object.entries(record.changed).map(([path, hash]) => {
    return { path, name: nameIn(record.workspace, path), sha256: hash ?? undefined, record };
  });
}

function describe(path: string, { generationId, isAssumed }: EarlierRecord): ChangedFile {
  return { path, generationId, ...(isAssumed === true ? { isAssumed } : {}) };
}

function nameIn(workingDir: string, path: string): string {
  return toSlashes(relative(workingDir, path));
}
