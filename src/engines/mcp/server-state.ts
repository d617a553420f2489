import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import { statIfThere } from '../../base/fs/stats.js';
import { readEnvironment } from '../../base/process/environment.js';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import { removeLeftovers } from '../../batch/isolation/remove-leftovers.js';
import { dropUnusedSaved } from '../../batch/isolation/saved-changes.js';
import { ownerSchema } from '../../batch/state/owner-schema.js';
import { readSealedFile, writeSealedFile } from '../../batch/state/sealed-file.js';
import { openStateKey } from '../../batch/state/state-key.js';

const PRIVATE = 0o700;
const PREFIX = 'server-';
const OWNER = 'owner.json';
const PATCHES = 'patches';
/** Time for which patches that were neither applied nor discarded stay on the disk. */
const PATCH_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

const schema = z.object({ owner: ownerSchema, workingDirs: z.array(z.string()) });

/**
 * Private folder of one server: records of worktrees, saved changes, and the key that signs both. Patches are in a folder
 * that all servers share, because a result names them.
 */
export class ServerState {
  readonly folder: string;
  readonly #patches: string;
  readonly #workingDirs = new Set<string>();

  private constructor(folder: string, patches: string) {
    this.folder = folder;
    this.#patches = patches;
  }

  /** Creates the folder, and cleans up after servers that were killed. Throws INVALID_CONFIG. */
  static async open(given?: string | undefined): Promise<ServerState> {
    const parent = resolve(given ?? join(findStateDirectory(readEnvironment()), 'mcp'));
    const patches = join(parent, PATCHES);
    let folder: string;
    try {
      mkdirSync(patches, { recursive: true, mode: PRIVATE });
      const reason = findForeignAccess(parent) ?? findForeignAccess(patches);
      if (reason !== undefined) throw new Error(`it ${reason}`);
      folder = realpathOf(mkdtempSync(join(parent, PREFIX)));
      openStateKey(folder);
    } catch (error) {
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: `The state folder ${parent} cannot be used: ${messageOf(error)}`,
        hint: 'Give --state a folder that belongs to you and that other users cannot write to.',
      });
    }
    const state = new ServerState(folder, realpathOf(patches));
    state.#write();
    await removeDeadServers(realpathOf(parent), folder).catch(() => {});
    removeOldPatches(patches);
    return state;
  }

  /** Notes a working directory before a worktree of it is made, so that a later server can remove the worktree. */
  enter(cwd: string): void {
    if (isInside(cwd, this.folder)) {
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: `The state folder ${this.folder} lies inside of ${cwd}, where agents write`,
        hint: 'Start the server with --state for a folder outside, or name a folder further down as `cwd`.',
      });
    }
    if (this.#workingDirs.has(cwd)) return;
    this.#workingDirs.add(cwd);
    this.#write();
  }

  patchFile(jobId: string): string {
    return join(this.#patches, `${jobId}.patch`);
  }

  /** Removes the folder. All jobs have ended. */
  async close(): Promise<void> {
    await removeState(this.folder, [...this.#workingDirs]);
  }

  #write(): void {
    const record = { owner: describeProcess(), workingDirs: [...this.#workingDirs] };
    writeSealedFile(join(this.folder, OWNER), record);
  }
}

/** Removes what servers have left behind whose process is known to have ended. */
async function removeDeadServers(parent: string, own: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    if (!name.startsWith(PREFIX) || folder === own || findForeignAccess(folder) !== undefined)
      continue;
    const read = readSealedFile(join(folder, OWNER));
    const record = read.kind === 'valid' ? schema.safeParse(read.value).data : undefined;
    if (record !== undefined && isKnownDead(record.owner))
      await removeState(folder, record.workingDirs);
  }
}

async function removeState(folder: string, workingDirs: readonly string[]): Promise<void> {
  const { kept } = await removeLeftovers(folder, { workingDirs });
  // A worktree that cannot be removed now needs its record for the next try.
  if (kept.length > 0) return;
  dropUnusedSaved(folder, new Set());
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function removeOldPatches(patches: string): void {
  for (const name of readdirSync(patches)) {
    const file = join(patches, name);
    const age = Date.now() - (statIfThere(file)?.mtimeMs ?? Date.now());
    if (age > PATCH_LIFETIME_MS) rmSync(file, { recursive: true, force: true });
  }
}
