import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const lists = z.record(z.string(), z.array(z.string()));

/** The paths in each folder, as they were written down. */
export async function readFolderLists(file: string): Promise<Record<string, string[]>> {
  try {
    return lists.safeParse(JSON.parse(await readFile(file, 'utf8'))).data ?? {};
  } catch {
    return {};
  }
}

/** At once: a batch that dies while it writes leaves the file as it was. */
export async function writeFolderLists(
  file: string,
  folders: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(folders));
  await rename(`${file}.new`, file);
}
