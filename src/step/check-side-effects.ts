import type { ManifestFile } from '../api/manifest.js';
import { readFileState } from '../base/fs/fingerprint.js';
import { realpathOf } from '../base/fs/paths.js';

/** What the commands of a check have done to files: it is neither the agent's doing nor its fault. */
export class CheckSideEffects {
  /** By real path: the hash of what they have left; undefined where that is no file. */
  readonly #left = new Map<string, string | undefined>();
  readonly #ofTheStep = new Set<string>();

  /** Compares with the files as they were before the commands ran. `changed` is what has changed since the step began. */
  async note(before: readonly ManifestFile[], changed: readonly string[]): Promise<void> {
    const known = new Map(
      before.map(({ absolutePath, sha256After }) => [realpathOf(absolutePath), sha256After]),
    );
    for (const path of known.keys()) this.#ofTheStep.add(path);
    for (const path of new Set([...known.keys(), ...changed.map(realpathOf)])) {
      const sha256 = await hashOf(path);
      if (!known.has(path) || known.get(path) !== sha256) this.#left.set(path, sha256);
    }
  }

  /** Whether the file is theirs alone: the agent has not touched it. */
  async isTheirs(path: string): Promise<boolean> {
    return (await this.isAsLeft(path)) && !this.#ofTheStep.has(realpathOf(path));
  }

  /** Whether the file is as they have left it. */
  async isAsLeft(path: string): Promise<boolean> {
    if (this.#left.size === 0) return false;
    const key = realpathOf(path);
    return this.#left.has(key) && this.#left.get(key) === (await hashOf(key));
  }
}

async function hashOf(path: string): Promise<string | undefined> {
  return (await readFileState(path))?.sha256;
}
