import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { onDisk } from './byte-path.js';
import type { TreeChange } from './check-changes.js';
import type { CopyChange } from './copy-changes.js';
import type { CopyState } from './copy-state.js';
import { hasSameContent, readStats, toFileIdentity } from './file-identity.js';
import { type FileSnapshot, isExecutable, isUnchanged } from './file-snapshot.js';
import { type MergePlan, mergeInto, type PathConflict, type PathOutcome } from './merge-stage.js';

const PLAIN = 0o644;
const EXECUTABLE = 0o755;

/** Merges the changes of a step from its copy into the original: all of them or none. */
export function mergeCopy(state: CopyState, changes: readonly CopyChange[]): Promise<PathOutcome> {
  const { root, stateDir, home, id } = state;
  const target = { root, stateDir, home, id, trustModes: true, keptFolder: '' };
  return mergeInto(target, (stage) => planMerge(state, changes, stage));
}

async function planMerge(
  state: CopyState,
  changes: readonly CopyChange[],
  stage: string,
): Promise<MergePlan | PathConflict[]> {
  const planned: TreeChange[] = [];
  const conflicts: PathConflict[] = [];
  for (const [index, change] of changes.entries()) {
    const plan = await planOne(state, change, join(stage, `both-${index}`));
    if (plan === 'conflict') conflicts.push({ path: change.path, reason: 'changed' });
    else if (plan !== undefined) planned.push(plan);
  }
  return conflicts.length > 0 ? conflicts : { changes: planned };
}

/** Plans one change. Returns undefined if the original already has the content of the copy. */
async function planOne(
  state: CopyState,
  { path, source }: CopyChange,
  scratch: string,
): Promise<TreeChange | 'conflict' | undefined> {
  const original = onDisk(state.root, path);
  const known = state.known.get(path);
  const there = readStats(original);
  const isFile = there?.isFile() || there?.isSymbolicLink();
  const expected = there && toFileIdentity(there);
  if (!isFile) {
    // The path is a folder or does not exist. `checkChanges` decides later whether the change is possible.
    if (source === undefined) return undefined;
    return known === undefined || there?.isDirectory() ? { path, source, isNew: true } : 'conflict';
  }
  if (known !== undefined && (await isUnchanged(original, known, known.originalStamp))) {
    return { path, source, isNew: false, expected };
  }
  if (source === undefined) return 'conflict';
  if (hasSameContent(source, original)) return undefined;
  const merged = known && (await mergeTexts(state, known, { path, source }, scratch));
  return merged === undefined ? 'conflict' : { path, source: merged, isNew: false, expected };
}

/** Merges both versions with their base. Returns undefined if one of the three is not a text, or if they conflict. */
async function mergeTexts(
  { root, texts, home }: CopyState,
  known: FileSnapshot,
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
  const { exitCode, stdout } = await askGit({ folder: home.folder }, args);
  if (exitCode !== 0) return undefined;
  writeFileSync(scratch, stdout);
  const isExecutableNow =
    isExecutable(theirs) === known.isExecutable ? isExecutable(ours) : isExecutable(theirs);
  chmodSync(scratch, isExecutableNow ? EXECUTABLE : PLAIN);
  return Buffer.from(scratch);
}
