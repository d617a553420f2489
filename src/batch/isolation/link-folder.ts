import {
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

/** Folders of a package manager that hold no packages of their own: what is in them is linked one by one. */
const OPENED = /^(?:@.+|\.bin)$/;
/** Hidden folders that packages are in. All others are caches, and each step gets its own. */
const HIDDEN_STORES: ReadonlySet<string> = new Set(['.pnpm', '.store', '.ignored']);

/**
 * Gives a step the installed packages of the original: a folder of its own with a link for each of them. One link
 * to the whole folder would be simpler, but `npm ci` empties that folder, link or not, and with it the person's.
 * Links between packages are repeated as they are, so that those of a monorepo lead to the step's own files.
 * Gives back the folders that are linked to.
 */
export function linkFolder(original: string, target: string): string[] {
  mkdirSync(target, { recursive: true });
  return readdirSync(original, { withFileTypes: true }).flatMap((entry) => {
    return linkEntry(entry, join(original, entry.name), join(target, entry.name));
  });
}

function linkEntry(entry: Dirent, original: string, target: string): string[] {
  if (entry.isSymbolicLink()) symlinkSync(readlinkSync(original), target);
  else if (entry.isFile()) copyFileSync(original, target);
  if (!entry.isDirectory()) return [];
  if (OPENED.test(entry.name)) return linkFolder(original, target);
  if (entry.name.startsWith('.') && !HIDDEN_STORES.has(entry.name)) return [];
  symlinkSync(original, target, 'junction');
  return [original];
}
