import { type BigIntStats, copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { type BytePath, onDisk } from './byte-path.js';
import type { TreeChange } from './check-changes.js';
import { hasSameContent, readStats, toFileIdentity } from './file-identity.js';
import { type FileSnapshot, hasKnownContent, permissionsOf } from './file-snapshot.js';
import type { MergePlan, PathConflict } from './merge-stage.js';
import type { StepChange, StepChanges } from './step-changes.js';
import { readEntry } from './tree-entry.js';

/** Plans the merge of the changes of a step from its copy into the original. */
export async function planCopyMerge(
  changes: StepChanges,
  stage: string,
): Promise<MergePlan | PathConflict[]> {
  const planned: TreeChange[] = [];
  const combined: BytePath[] = [];
  const conflicts: PathConflict[] = [];
  for (const [index, change] of changes.changes.entries()) {
    const plan = await planOne(changes, change, join(stage, `both-${index}`));
    if (plan === 'conflict') conflicts.push({ path: change.path, reason: 'changed' });
    else if (plan !== undefined) planned.push(plan);
    if (typeof plan === 'object' && plan.source !== change.source) combined.push(change.path);
  }
  return conflicts.length > 0 ? conflicts : { changes: planned, combined };
}

/** Plans one change. Returns undefined if the original already has the content of the copy. */
async function planOne(
  changes: StepChanges,
  { path, source, known }: StepChange,
  scratch: string,
): Promise<TreeChange | 'conflict' | undefined> {
  const { root } = changes;
  const there = readEntry(root, path);
  if (!there?.isFile() && !there?.isSymbolicLink()) {
    // The path is a folder or does not exist. `checkChanges` decides later whether the change is possible.
    const isFree = there === undefined || there.isDirectory();
    if (source === undefined) return isFree ? undefined : 'conflict';
    return known === undefined || there?.isDirectory() ? { path, source, isNew: true } : 'conflict';
  }
  const expected = toFileIdentity(there);
  const isUnchanged = known && (await hasKnownContent(root, path, known, known.originalStamp));
  if (source === undefined) {
    // Other permissions are a change of another step, too: a removal would lose it.
    const isSame = isUnchanged && permissionsOf(there) === known.permissions;
    return isSame ? { path, isNew: false, expected } : 'conflict';
  }
  const theirs = readStats(source);
  const permissions = theirs && known && mergePermissions(known, there, theirs);
  const planned = { path, isNew: false, expected, permissions };
  if (isUnchanged) return permissions === undefined ? 'conflict' : { ...planned, source };
  if (hasSameContent(source, onDisk(root, path))) return undefined;
  if (permissions === undefined) return 'conflict';
  const merged = await mergeTexts(changes, { path, source }, scratch);
  return merged === undefined ? 'conflict' : { ...planned, source: merged };
}

/** Merges the permissions of both sides. Returns undefined if both have changed them, each in another way. */
function mergePermissions(
  known: FileSnapshot,
  original: BigIntStats,
  source: BigIntStats,
): number | undefined {
  const [ours, theirs] = [permissionsOf(original), permissionsOf(source)];
  if (ours === theirs || theirs === known.permissions) return ours;
  return ours === known.permissions ? theirs : undefined;
}

/** Merges both versions with their base. Returns undefined if one of the three is not a text, or if they conflict. */
async function mergeTexts(
  { root, texts }: StepChanges,
  { path, source }: { readonly path: string; readonly source: Buffer },
  scratch: string,
): Promise<Buffer | undefined> {
  const original = onDisk(root, path);
  const base = texts === undefined ? undefined : onDisk(texts, path);
  const [ours, theirs] = [readStats(original), readStats(source)];
  if (base === undefined || !readStats(base)?.isFile()) return undefined;
  if (!ours?.isFile() || !theirs?.isFile()) return undefined;
  // The files are copied under plain names, because their own names may not be usable on a command line.
  const names = ['ours', 'base', 'theirs'].map((side) => `${scratch}-${side}`);
  for (const [index, from] of [original, base, source].entries()) {
    copyFileSync(from, names[index] ?? '');
  }
  const args = ['merge-file', '-p', '-q', '--', ...names];
  const { exitCode, stdout } = await askGit({ folder: dirname(scratch) }, args);
  if (exitCode !== 0) return undefined;
  writeFileSync(scratch, stdout);
  return Buffer.from(scratch);
}
