import type { ManifestFile } from '../contract/manifest.js';
import { readFolderLists, writeFolderLists } from '../ledger/folder-lists.js';
import { createDiff } from '../manifest/diff.js';
import { readFileState } from '../manifest/fingerprint.js';
import { listFiles } from '../workspace/list-files.js';

const IGNORE_FILES = ['.gitignore', '.geminiignore'];

/**
 * Which files there were before the batch began. An attempt that was killed has told nobody what it created; the
 * next one finds it there and would call it a change.
 */
export class Baseline {
  readonly #paths: ReadonlySet<string>;

  private constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
  }

  /** Kept beside the ledger, so that it is the same for each run of the batch. */
  static async open(file: string, folders: readonly string[]): Promise<Baseline> {
    const known = await readFolderLists(file);
    const missing = folders.filter((folder) => !Object.hasOwn(known, folder));
    for (const folder of missing) known[folder] = await listFiles(folder, IGNORE_FILES);
    if (missing.length > 0) await writeFolderLists(file, known);
    return new Baseline(Object.values(known).flat());
  }

  /** The files of a step whose earlier attempt was killed, as they would be without that. */
  async correct(files: readonly ManifestFile[]): Promise<ManifestFile[]> {
    return Promise.all(files.map((file) => this.#correct(file)));
  }

  async #correct(file: ManifestFile): Promise<ManifestFile> {
    const isOld = this.#paths.has(file.absolutePath) || file.kind === 'deleted';
    if (isOld || file.outsideWorkspace) return file;
    const { sha256Before: _, diff: __, ...rest } = file;
    const content = (await readFileState(file.absolutePath))?.content;
    const diff = content === undefined ? undefined : createDiff(file.path, null, content);
    return { ...rest, kind: 'created', ...(diff === undefined ? {} : { diff }) };
  }
}
