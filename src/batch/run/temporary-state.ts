import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { Closers } from './open-ledger.js';

/** Makes the state folder of a batch without an output folder. The folder is removed with the batch. */
export async function makeTemporaryState(closers: Closers): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-cli-batch-')).catch((cause: unknown) => {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The temporary folder cannot be written: ${messageOf(cause)}`,
      hint: 'Set TMPDIR to a folder that exists and has room, or set the output folder of the batch.',
      cause,
    });
  });
  closers.push(async () => {
    // The folder stays if it holds patches, because error messages have named their paths to the user.
    const kept = await readdir(join(folder, 'kept')).catch(() => []);
    if (kept.length === 0) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}
