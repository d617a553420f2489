import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const lists = z.record(z.string(), z.record(z.string(), z.string()));

/** By folder: the hash of each file in it, by its path. */
export type FolderLists = z.infer<typeof lists>;

/** As they were written down; nothing where that cannot be read. */
export async function readFolderLists(file: string): Promise<FolderLists> {
  try {
    return lists.safeParse(JSON.parse(await readFile(file, 'utf8'))).data ?? {};
  } catch {
    return {};
  }
}

/** At once: a batch that dies while it writes leaves the file as it was. */
export async function writeFolderLists(file: string, folders: FolderLists): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(folders));
  await rename(`${file}.new`, file);
}
