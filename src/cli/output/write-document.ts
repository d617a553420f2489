import { writeFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { realpathOf } from '../../base/fs/paths.js';
import { statIfThere } from '../../base/fs/stats.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';

/** Writes a document as a whole. Throws INVALID_INPUT if the file cannot be written. */
export async function writeDocument(file: string, pieces: Iterable<string>): Promise<void> {
  try {
    // A pipe or a device such as /dev/stdout is written to; a rename would replace it.
    const old = statIfThere(file);
    if (old?.isFile() === false) await writeFile(file, pieces);
    else
      await writeAtomically(realpathOf(file), [...pieces].join(''), (old?.mode ?? 0o666) & 0o777);
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Cannot write ${file}`,
      hint: messageOf(error),
      cause: error,
    });
  }
}
