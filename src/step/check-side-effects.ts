import type { ManifestFile } from '../api/manifest.js';
import { readFileState } from '../base/fs/fingerprint.js';
import { realpathOf } from '../base/fs/paths.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';

/** File changes made by the commands of `expects`. The manifest must not attribute them to the agent. */
export class CheckSideEffects {
  /** Hash of each file that the commands changed, by real path; undefined if the path is no file any more. */
  readonly #hashes = new Map<string, string | undefined>();
  /** Real paths of files that were in the manifest before the commands ran. */
  readonly #filesOfAgent = new Set<string>();

  /**
   * Adds the changes of the last commands. `before` is the manifest from before they ran, `changed` lists the paths
   * that differ from the start of the step.
   */
  async collect(
    before: readonly ManifestFile[],
    changed: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const known = new Map(
      before.map(({ absolutePath, sha256After }) => [realpathOf(absolutePath), sha256After]),
    );
    for (const path of known.keys()) this.#filesOfAgent.add(path);
    for (const path of new Set([...known.keys(), ...changed.map(realpathOf)])) {
      const sha256 = await hashOf(path, signal);
      if (!known.has(path) || known.get(path) !== sha256) this.#hashes.set(path, sha256);
    }
  }

  /** Leaves out the changes that only the commands have made. */
  async removeFrom(
    changes: readonly WorkspaceChange[] | undefined,
    signal?: AbortSignal,
  ): Promise<readonly WorkspaceChange[] | undefined> {
    if (changes === undefined || this.#hashes.size === 0) return changes;
    const others: WorkspaceChange[] = [];
    for (const change of changes) {
      if (!(await this.isSideEffectOnly(change.path, signal))) others.push(change);
    }
    return others;
  }

  /** True if only the commands changed the file, not the agent. */
  async isSideEffectOnly(path: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.isAsCheckLeft(path, signal)) && !this.#filesOfAgent.has(realpathOf(path));
  }

  /** True if the file has the content that the commands left. */
  async isAsCheckLeft(path: string, signal?: AbortSignal): Promise<boolean> {
    if (this.#hashes.size === 0) return false;
    const key = realpathOf(path);
    return this.#hashes.has(key) && this.#hashes.get(key) === (await hashOf(key, signal));
  }
}

async function hashOf(path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  return (await readFileState(path, signal))?.sha256;
}
