import { relative } from 'node:path';
import { toSlashes } from '../../base/fs/paths.js';

/** A protected file that a step of this process has changed and that was not restored. */
interface ChangedFile {
  /** Hash of the content that the step left; undefined if the step removed the file. */
  readonly sha256: string | undefined;
  /** Path relative to the workspace. In a worktree or a copy the same file has another absolute path. */
  readonly name: string;
  readonly generationId: string;
}

const MOST_RECORDS = 1_000;

/**
 * Remembers the files that an agent obeys and that an earlier step has changed, for all providers of this process. A
 * later step that starts on such a file warns about it.
 */
export class ChangedFiles {
  readonly #byPath = new Map<string, ChangedFile>();

  add(path: string, workingDir: string, sha256: string | undefined, generationId: string): void {
    this.#byPath.delete(path);
    this.#byPath.set(path, { sha256, name: nameIn(workingDir, path), generationId });
    const [oldest] = this.#byPath.keys();
    if (this.#byPath.size > MOST_RECORDS && oldest !== undefined) this.#byPath.delete(oldest);
  }

  /** Forgets a file that was restored. */
  remove(path: string): void {
    this.#byPath.delete(path);
  }

  /**
   * Finds files that still are as an earlier step left them.
   *
   * @param present hashes of the files that are there now, by path
   */
  find(
    workingDir: string,
    present: ReadonlyMap<string, string | undefined>,
  ): { readonly path: string; readonly generationId: string }[] {
    const records = [...this.#byPath];
    const found = [...present].flatMap(([path, sha256]) => {
      const name = nameIn(workingDir, path);
      const same = records.filter(([, file]) => file.sha256 === sha256);
      const record =
        same.find(([known]) => known === path) ?? same.find(([, file]) => file.name === name);
      return record === undefined ? [] : [{ path, generationId: record[1].generationId }];
    });
    const removed = records.flatMap(([path, { sha256, generationId }]) => {
      const isHere = !nameIn(workingDir, path).startsWith('../');
      return sha256 === undefined && isHere && !present.has(path) ? [{ path, generationId }] : [];
    });
    return [...found, ...removed];
  }
}

function nameIn(workingDir: string, path: string): string {
  return toSlashes(relative(workingDir, path));
}
