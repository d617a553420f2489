import { mkdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import type { FileChangeKind, ManifestFile } from '../../api/manifest.js';
import { createDiff } from '../../base/fs/diff.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { UNREADABLE_HASH } from '../../base/fs/hash-folder.js';
import { canonicalPath, realpathOf } from '../../base/fs/paths.js';
import { assertReachable, hashReachable } from '../../step/reachable-folders.js';
import { readSealedFile, writeSealedFile } from '../state/sealed-file.js';

const folderHashes = z.record(z.string(), z.record(z.string(), z.string()));

/** Hashes of files by path, grouped by folder. */
type FolderHashes = z.infer<typeof folderHashes>;

/**
 * The files of the shared folders and their hashes before the batch began. A killed attempt reports no file changes.
 * Without a baseline, the next attempt would report a file that the killed one created as `modified`, and would not
 * report a file that the killed one changed.
 */
export class Baseline {
  /** True if the file was there and could not be believed: the folders were hashed again. */
  readonly isDamaged: boolean;
  readonly #hashes: ReadonlyMap<string, string>;

  private constructor(folders: FolderHashes, isDamaged: boolean) {
    this.isDamaged = isDamaged;
    this.#hashes = new Map(Object.values(folders).flatMap((hashes) => Object.entries(hashes)));
  }

  /**
   * Reads the baseline from `file`, and hashes the folders that the file does not have yet. The file lies beside the
   * ledger, so that each run of the batch has the same baseline. An abort ends the hashing; the file then stays as it was.
   */
  static async open(
    file: string,
    folders: readonly string[],
    signal?: AbortSignal,
  ): Promise<Baseline> {
    const { known, isDamaged } = readBaselineFile(file);
    let missing: readonly string[];
    try {
      await assertReachable(folders, { signal });
      missing = folders.map(realpathOf).filter((folder) => !Object.hasOwn(known, folder));
      for (const folder of missing) known[folder] = await hashReachable(folder, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
      return new Baseline(known, isDamaged);
    }
    if (missing.length > 0) await writeBaselineFile(file, known);
    return new Baseline(known, isDamaged);
  }

  /**
   * Lists the files of a folder that differ from the baseline. A file is left out if its hash is among its `explained`
   * hashes; undefined is the hash of a deleted file. Throws the reason of the signal if that is aborted.
   */
  async findChanges(
    folder: string,
    explained: ReadonlyMap<string, ReadonlySet<string | undefined>>,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const now = new Map(Object.entries(await hashReachable(folder, signal)));
    const real = realpathOf(folder);
    const before = [...this.#hashes.keys()].filter((path) => path.startsWith(join(real, sep)));
    const paths = new Set([...before, ...now.keys()]);
    return [...paths].filter((path) => {
      const hash = now.get(path);
      return hash !== this.#hashes.get(path) && explained.get(path)?.has(hash) !== true;
    });
  }

  /**
   * Corrects the files of a step after an attempt of it was killed: each file is compared with its content before the
   * step, which is the last content that the batch wrote, or else the baseline. A file that exists neither before nor after
   * drops out.
   */
  async correct(
    files: readonly ManifestFile[],
    writtenByBatch: ReadonlyMap<string, string | undefined>,
  ): Promise<ManifestFile[]> {
    const corrected = await Promise.all(
      files.map((file) => {
        const path = canonicalPath(file.absolutePath);
        const isKnown = writtenByBatch.has(path);
        const before = isKnown ? writtenByBatch.get(path) : this.#hashes.get(path);
        return file.outsideWorkspace || before === UNREADABLE_HASH
          ? file
          : correctFile(file, before);
      }),
    );
    return corrected.filter((file) => file !== undefined);
  }
}

/** Reads the baseline file. A damaged file, or one that is not signed by the batch, counts as empty. */
function readBaselineFile(file: string): {
  readonly known: FolderHashes;
  readonly isDamaged: boolean;
} {
  const read = readSealedFile(file);
  const known = read.kind === 'valid' ? folderHashes.safeParse(read.value).data : undefined;
  return { known: known ?? {}, isDamaged: known === undefined && read.kind !== 'missing' };
}

async function writeBaselineFile(file: string, folders: FolderHashes): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  writeSealedFile(file, folders);
}

async function correctFile(
  file: ManifestFile,
  sha256Before: string | undefined,
): Promise<ManifestFile | undefined> {
  const kind = kindOf(sha256Before, file.sha256After);
  if (kind === undefined) return undefined;
  if (kind === file.kind && sha256Before === file.sha256Before) return file;
  const { sha256Before: _, diff: __, ...rest } = file;
  if (sha256Before !== undefined) return { ...rest, kind, sha256Before };
  const content = (await readFileState(file.absolutePath))?.content;
  const diff = content === undefined ? undefined : createDiff(file.path, null, content);
  return { ...rest, kind, ...(diff === undefined ? {} : { diff }) };
}

/** Returns undefined for a file that exists neither before nor after. */
function kindOf(before: string | undefined, after: string | undefined): FileChangeKind | undefined {
  if (before === undefined) return after === undefined ? undefined : 'created';
  if (after === undefined) return 'deleted';
  return before === after ? 'unchanged' : 'modified';
}
