import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file so that its path has either the old content or the new one, also after a full disk or a crash: the content
 * goes into a new file beside the path, is synced, and is renamed over the path.
 *
 * @param mode mode of the new file, before the umask
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o666,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
