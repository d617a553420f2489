import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Content of a file: whole, or in pieces that are written one after another. */
type FileContent = string | Uint8Array | Iterable<string>;

/**
 * Writes a file so that its path has either the old content or the new one, also after a full disk or a crash: the content
 * goes into a new file beside the path, is synced, and is renamed over the path.
 *
 * @param mode mode of the new file, before the umask
 * @param old stats of the file that is replaced, whose mode and owner the new one gets
 */
export async function writeAtomically(
  path: string,
  content: FileContent,
  mode = 0o666,
  old?: Stats,
): Promise<void> {
  await replaceFile(path, content, { mode, old, isSynced: true });
}

/**
 * Writes a file as `writeAtomically` does, but without a sync: after a crash of the machine, the file may be empty or old.
 * For files that can be created again, because a sync takes longer than the rest of the write.
 */
export async function writeWithoutSync(path: string, content: FileContent): Promise<void> {
  await replaceFile(path, content, { mode: 0o666, isSynced: false });
}

interface ReplaceOptions {
  readonly mode: number;
  readonly old?: Stats | undefined;
  readonly isSynced: boolean;
}

async function replaceFile(
  path: string,
  content: FileContent,
  { mode, old, isSynced }: ReplaceOptions,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      if (old !== undefined) await takeOver(file, old);
      const isWhole = typeof content === 'string' || content instanceof Uint8Array;
      for (const piece of isWhole ? [content] : content) await file.writeFile(piece);
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function takeOver(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  // Only root may give a file away. For other users the file belongs to them, as every new file does.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}
