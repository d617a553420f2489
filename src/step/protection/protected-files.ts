import { rmdir } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { ResolvedStep } from '../../agents/resolve-step.js';
import { hasSameStats } from '../../base/fs/fingerprint.js';
import { realpathOf } from '../../base/fs/paths.js';
import { isInReservedFolder } from '../../base/fs/reserved-folders.js';
import { createPathGuard, type PathGuard } from '../../config/path-guard.js';
import type { WorkspaceChange } from '../manifest/workspace-change.js';
import { type ChangedFile, findChangedFiles } from './changed-files.js';
import { type FileEntry, isSameEntry, readFileEntries, restoreFileEntry } from './file-entry.js';
import { listObeyedFiles, type ObeyedFiles } from './list-obeyed-files.js';
import { findOutsideFolders, isBelowFolder, isInWorkspace } from './protected-area.js';
import type { FileHashes } from './step-record.js';
import { beginRecord, endRecord, leaveRecord, readEarlierRecords } from './step-records.js';

export type ProtectedStep = Pick<
  ResolvedStep,
  'config' | 'workingDir' | 'workspaceDirs' | 'geminiHome' | 'generationId'
>;

/** Writes of the agent so far, as far as they are known. */
export interface KnownWrites {
  /** True if a tool may have written files that no event names. */
  readonly hasUnseen: boolean;
  /** Real paths of the files that edit tools have reported. */
  readonly claimed: ReadonlySet<string>;
}

/** A change of a protected file that was found after a turn. */
export interface UndoneChange extends WorkspaceChange {
  /** False if the old content was not kept, so that the change is still there. */
  readonly isRestored: boolean;
}

interface Difference {
  readonly path: string;
  readonly before: FileEntry | undefined;
  readonly after: FileEntry | undefined;
}

const MOST_ROUNDS = 4;
/** Resolution of the times of files, which may lag behind the clock. */
const SLACK_MS = 50;

/** Steps at work. A step that starts meanwhile takes their old contents for its own, not a change that is yet to be undone. */
const active = new Set<ProtectedFiles>();

/** Protected files as they were before the step. Restores them after each turn. */
export class ProtectedFiles {
  readonly #step: ProtectedStep;
  readonly #guard: PathGuard;
  readonly #isDeep: boolean;
  readonly #startedMs = Date.now();
  readonly #before = new Map<string, FileEntry>();
  /** Paths that another step at work takes care of. */
  readonly #left = new Set<string>();
  readonly #undone = new Map<string, UndoneChange>();
  /** Folders outside of the workspace that hold protected files of this step. */
  readonly #outside: readonly string[];
  /** Hashes of obeyed files that this step has changed and that were not restored. */
  readonly #changed = new Map<string, string | null>();
  /** Files that an earlier step has changed and that still are as it left them. */
  readonly changedEarlier: readonly ChangedFile[];

  /** Reads the protected files. With `isDeep` the whole workspace is searched for them. */
  static async take(
    step: ProtectedStep,
    isDeep: boolean,
    signal?: AbortSignal,
  ): Promise<ProtectedFiles> {
    const guard = createPathGuard(step);
    const entries = await readEntries(step, guard, isDeep, signal);
    const records = await readEarlierRecords(step.workingDir, async (ofAll) => {
      return hashesOf(ofAll === isDeep ? entries : await readEntries(step, guard, ofAll, signal));
    });
    signal?.throwIfAborted();
    const changed = findChangedFiles(records, step.workingDir, statesOf(entries));
    const files = new ProtectedFiles(step, guard, isDeep, entries, changed);
    await beginRecord(step, hashesOf(files.#before), isDeep);
    return files;
  }

  private constructor(
    step: ProtectedStep,
    guard: PathGuard,
    isDeep: boolean,
    entries: ReadonlyMap<string, FileEntry>,
    changedEarlier: readonly ChangedFile[],
  ) {
    this.#step = step;
    this.#guard = guard;
    this.#isDeep = isDeep;
    this.changedEarlier = changedEarlier;
    this.#outside = findOutsideFolders(step, entries.keys());
    for (const [path, entry] of entries) this.#keep(path, entry);
    active.add(this);
  }

  /**
   * Undoes changes of protected files, and remembers changes of files that are not protected but obeyed. An abort ends the
   * search for new files; known files are restored in any case.
   */
  async settle(writes: KnownWrites, signal?: AbortSignal): Promise<readonly UndoneChange[]> {
    // A restored link or `.git` file leads to further files: look again until nothing is left to undo.
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const undoneBefore = this.#undone.size;
      await this.#settleOnce(writes, signal);
      if (this.#undone.size === undoneBefore) break;
    }
    return [...this.#undone.values()];
  }

  async #settleOnce(writes: KnownWrites, signal: AbortSignal | undefined): Promise<void> {
    const found = await list(this.#step, this.#guard, this.#isDeep, signal);
    const differences = await this.#compare(found, writes);
    const links = differences.filter(({ after }) => after?.target !== undefined);
    for (const difference of differences) {
      const { path, before, after } = difference;
      // A file behind a new link belongs to the target of the link, and is out of reach when the link is gone.
      const isBehindLink = links.some((link) => path.startsWith(link.path + sep));
      if (isBehindLink && before === undefined) continue;
      if (this.#isProtected(path, found)) await this.#undo(difference);
      else this.#remember(path, after);
    }
  }

  /** Takes the present files as the old ones: commands of `expects` have run. */
  async accept(signal?: AbortSignal): Promise<void> {
    const found = await list(this.#step, this.#guard, this.#isDeep, signal);
    this.#before.clear();
    for (const [path, entry] of await readFileEntries([...found.keys()]))
      this.#before.set(path, entry);
  }

  /**
   * Ends the protection when the step is over, and keeps the record of what the step has changed. A step whose files could
   * not be read at the end leaves the record of its beginning: the next step compares.
   */
  async release(isSettled = true): Promise<void> {
    active.delete(this);
    if (isSettled) await endRecord(this.#step, Object.fromEntries(this.#changed));
    else leaveRecord(this.#step);
  }

  /** Returns paths that differ, folders before their files. Changes that the agent cannot have made are left out. */
  async #compare(found: ObeyedFiles, writes: KnownWrites): Promise<Difference[]> {
    const differences: Difference[] = [];
    const paths = [...new Set([...this.#before.keys(), ...found.keys()])].sort();
    const present = await readFileEntries(paths);
    for (const path of paths) {
      if (this.#left.has(path)) continue;
      const before = this.#before.get(path);
      const after = present.get(path);
      const isBehindLink = differences.some((link) => {
        return link.after?.target !== undefined && path.startsWith(link.path + sep);
      });
      if (!isBehindLink && isUnchanged(before, after)) continue;
      if (!writes.hasUnseen && !writes.claimed.has(realpathOf(path))) continue;
      differences.push({ path, before, after });
    }
    return differences;
  }

  #isProtected(path: string, found: ObeyedFiles): boolean {
    const pattern = found.get(path);
    const isKnown = pattern !== undefined && this.#guard.isProtectedAs(pattern, path);
    return isKnown || this.#guard.isProtected(path);
  }

  async #undo({ path, before }: Difference): Promise<void> {
    const isRestored = await restoreFileEntry(path, before).catch(() => false);
    if (before === undefined && isRestored) await removeEmptyFolders(dirname(path));
    if (isRestored) this.#changed.delete(path);
    const state = before === undefined ? null : before.state;
    this.#undone.set(path, { path, before: state, isRestored });
  }

  #remember(path: string, after: FileEntry | undefined): void {
    this.#changed.set(path, after?.state?.sha256 ?? null);
  }

  /**
   * Keeps the old content of a file, or that of a step at work which protects the file. A file that appeared while such
   * a step was at work is left to that step: its old content is not known here.
   */
  #keep(path: string, entry: FileEntry): void {
    const owners = [...active].filter((owner) => owner.#takesCareOf(path));
    const [kept] = owners.flatMap((owner) => owner.#before.get(path) ?? []);
    const isNew = owners.some((owner) => entry.stats.ctimeMs >= owner.#startedMs - SLACK_MS);
    if (kept === undefined && isNew) this.#left.add(path);
    else this.#before.set(path, kept ?? entry);
  }

  /**
   * True if this step restores the file after its turns. By its name alone, a file such as `.env` is protected in every
   * folder, but a step looks only into its own workspace, its repository and the home of its agent.
   */
  #takesCareOf(path: string): boolean {
    if (!this.#guard.isProtected(path)) return false;
    return (
      isInWorkspace(this.#step, path) || this.#outside.some((root) => isBelowFolder(root, path))
    );
  }
}

async function readEntries(
  step: ProtectedStep,
  guard: PathGuard,
  isDeep: boolean,
  signal: AbortSignal | undefined,
): Promise<Map<string, FileEntry>> {
  const paths = [...(await list(step, guard, isDeep, signal)).keys()];
  return readFileEntries(paths, signal);
}

function statesOf(entries: ReadonlyMap<string, FileEntry>): Map<string, string | undefined> {
  return new Map([...entries].map(([path, { state }]) => [path, state?.sha256]));
}

function hashesOf(entries: ReadonlyMap<string, FileEntry>): FileHashes {
  return Object.fromEntries([...entries].map(([path, { state }]) => [path, state?.sha256 ?? null]));
}

function list(
  { workspaceDirs, geminiHome, config }: ProtectedStep,
  guard: PathGuard,
  isDeep: boolean,
  signal?: AbortSignal,
): Promise<ObeyedFiles> {
  // Folders of this process are never restored, and asking for them would slow down the search.
  const added = config.protectedPaths.added.filter((entry) => !isInReservedFolder(entry));
  const isAdded = (path: string): boolean => guard.isProtected(path);
  return listObeyedFiles({ workspaceDirs, geminiHome, added, isAdded, isDeep, signal });
}

function isUnchanged(before: FileEntry | undefined, after: FileEntry | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return hasSameStats(before.stats, after.stats) || isSameEntry(before, after);
}

/** Removes the folders that a removed file leaves empty, up to `.gemini` or `.git`. */
async function removeEmptyFolders(folder: string): Promise<void> {
  if (!/[/\\]\.(?:gemini|git)(?:[/\\]|$)/.test(folder)) return;
  const isEmpty = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isEmpty) await removeEmptyFolders(dirname(folder));
}
