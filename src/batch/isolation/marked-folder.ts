import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readStats } from './file-identity.js';

const PREFIX = 'gemini-cli-provider-';
const MARKER = 'owner';
const PRIVATE = 0o700;

/** Returns the name of a folder that belongs to the workspace with this id. */
export function markedFolderName(id: string): string {
  return `${PREFIX}${id}`;
}

/** Creates a private folder with a marker file, by which a clean-up recognises it. The marker contains the id. */
export function createMarkedFolder(folder: string, id: string): void {
  mkdirSync(folder, { mode: PRIVATE });
  writeFileSync(join(folder, MARKER), id);
}

/**
 * Removes a folder with its content if its name and its marker have the id. A folder without a marker is removed only
 * if it is empty: its creation was interrupted. Returns false if the folder still exists.
 */
export async function removeMarkedFolder(folder: string, id: string): Promise<boolean> {
  if (!readStats(folder)?.isDirectory()) return readStats(folder) === undefined;
  if (basename(folder) !== markedFolderName(id)) return false;
  const marker = join(folder, MARKER);
  const markerId = readIfThere(marker);
  try {
    if (markerId === id) await removeContents(folder, MARKER);
    // The marker is deleted last: without it, a later clean-up would not recognise the folder.
    if (markerId === id || markerId === '') await unlink(marker);
    await rmdir(folder);
    return true;
  } catch {
    if (readStats(folder) === undefined) return true;
    // Another process still writes there, for example a git command of a killed batch. The marker is needed again.
    if (markerId === id) writeFileSync(marker, id);
    return false;
  }
}

async function removeContents(folder: string, except: string): Promise<void> {
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    if (name.toString() === except) continue;
    const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
    try {
      await remove(path);
    } catch {
      makeWritable(path);
      await remove(path);
    }
  }
}

function remove(path: Buffer): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Makes all folders below writable: a step may have created read-only folders. */
function makeWritable(folder: Buffer): void {
  if (!readStats(folder)?.isDirectory()) return;
  chmodSync(folder, PRIVATE);
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    makeWritable(Buffer.concat([folder, Buffer.from('/'), name]));
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Removes a folder if it is empty. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // ENOTEMPTY or ENOENT: the folder is in use or already removed.
  }
}
