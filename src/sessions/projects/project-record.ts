import { randomUUID } from 'node:crypto';
import { rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readFolder } from '../../base/fs/read-folder.js';
import { readSmallFile } from '../../base/fs/read-opened-file.js';
import { writeInSharedFolder } from '../../base/fs/write-in-shared-folder.js';
import { describeProcess } from '../../base/process/process-identity.js';

/** Folder of the records. The CLI gives no project a name with a dot. */
const FOLDER = join('tmp', '.gemini-cli-provider');
const MOST_RECORD_BYTES = 1024 * 1024;

const schema = z.object({
  workingDir: z.string().min(1),
  projectDir: z.string().min(1).optional(),
  kept: z.array(z.string()),
  owner: z.object({
    id: z.string(),
    pid: z.number(),
    host: z.string(),
    startTime: z.number().optional(),
    boot: z.string().optional(),
    pidNamespace: z.string().optional(),
  }),
});

/** Record of a temporary project on the disk, by which the project is cleaned up after a crash. */
export type ProjectRecord = z.infer<typeof schema>;

/** Writes a record and returns its file. */
export function writeProjectRecord(
  geminiHome: string,
  record: Omit<ProjectRecord, 'owner'>,
): string {
  const folder = join(geminiHome, FOLDER);
  const file = join(folder, `${randomUUID()}.json`);
  const text = JSON.stringify({ ...record, owner: describeProcess() });
  writeInSharedFolder(folder, () => writeFileSync(file, text, { mode: 0o600 }));
  return file;
}

/** Reads all records. Files that are no records are ignored. */
export function readProjectRecords(geminiHome: string): Map<string, ProjectRecord> {
  const folder = join(geminiHome, FOLDER);
  const files = readFolder(folder).filter((entry) => entry.isFile());
  const records = new Map<string, ProjectRecord>();
  for (const { name } of files) {
    const file = join(folder, name);
    const record = parseRecord(readSmallFile(file, MOST_RECORD_BYTES) ?? '');
    if (record !== undefined) records.set(file, record);
  }
  return records;
}

export function removeProjectRecord(geminiHome: string, file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(join(geminiHome, FOLDER));
  } catch {
    // There are further records.
  }
}

function parseRecord(text: string): ProjectRecord | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
