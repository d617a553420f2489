import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import type { GitDir } from '../../base/git/run-git.js';
import { createId } from '../../batch/isolation/isolation-record.js';
import { keepPatch } from '../../batch/isolation/merge-trees.js';

/** Time that a worker keeps the patches of changes that could not travel. */
const KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1000;

interface KeptChanges {
  readonly git: GitDir;
  readonly from: string;
  readonly to: string;
  readonly keptDir: string;
}

/** Writes changes that could not travel as a patch. Returns the error with a hint that names machine and file. */
export async function keepChanges(thrown: unknown, changes: KeptChanges): Promise<ProviderError> {
  const error = toProviderError(thrown);
  const { git, from, to, keptDir } = changes;
  try {
    mkdirSync(keptDir, { recursive: true, mode: 0o700 });
    removeOldPatches(keptDir);
    const file = join(keptDir, `${createId()}.patch`);
    await keepPatch(git, from, to, file);
    const place = `The patch ${file} on ${hostname()} has the changes, for seven days.`;
    return new ProviderError({
      ...error.toJSON(),
      hint: `${error.hint} ${place}`.trim(),
      cause: error,
    });
  } catch {
    // The disk may be full. The caller needs the reason why the changes cannot travel.
    return error;
  }
}

function removeOldPatches(keptDir: string): void {
  for (const name of readdirSync(keptDir)) {
    const file = join(keptDir, name);
    const age = Date.now() - (statIfThere(file)?.mtimeMs ?? Date.now());
    if (age > KEPT_FOR_MS) rmSync(file, { force: true });
  }
}
