import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readFileIdentity } from './file-identity.js';

const PREFIX = 'gemini-cli-provider-';
const MARKER = 'owner';
const PRIVATE = 0o700;

/** The name of a folder that we make, anywhere. */
export function markedFolderName(id: string): string {
  return `${PREFIX}${id}`;
}

/** Makes a folder that can be told as ours, and as that of this very attempt. */
export function createMarkedFolder(folder: string, id: string): void {
  mkdirSync(folder, { mode: PRIVATE });
  writeFileSync(join(folder, MARKER), id);
}

/**
 * Removes a folder with all that is in it if its name and its marker say that it is ours; a folder that we had
 * no time to mark only while it is empty. False where it is still there.
 */
export async function removeMarkedFolder(folder: string, id: string): Promise<boolean> {
  if (!readFileIdentity(folder)?.isDirectory()) return readFileIdentity(folder) === undefined;
  if (basename(folder) !== markedFolderName(id)) return false;
  const marker = join(folder, MARKER);
  const said = readIfThere(marker);
  try {
    if (said === id) await removeContents(folder, MARKER);
    // The last to go: without it, nobody would dare to remove the rest.
    if (said === id || said === '') await unlink(marker);
    await rmdir(folder);
    return true;
  } catch {
    if (readFileIdentity(folder) === undefined) return true;
    // Somebody still writes there, a git whose owner has been killed.
    if (said === id) writeFileSync(marker, id);
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
      openFolders(path);
      await remove(path);
    }
  }
}

function remove(path: Buffer): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** A step may have made folders that nobody may write to, itself included. */
function openFolders(folder: Buffer): void {
  if (!readFileIdentity(folder)?.isDirectory()) return;
  chmodSync(folder, PRIVATE);
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    openFolders(Buffer.concat([folder, Buffer.from('/'), name]));
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Removes a folder if there is nothing in it. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody needs it.
  }
}
