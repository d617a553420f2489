import {
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

/** Folders in `node_modules` that group packages (scopes, `.bin`): their entries are linked one by one. */
const OPENED = /^(?:@.+|\.bin)$/;
/** Hidden folders that contain packages. Other hidden folders are caches, which each step creates for itself. */
const HIDDEN_STORES: ReadonlySet<string> = new Set(['.pnpm', '.store', '.ignored']);

/**
 * Gives a step the installed packages of the original: creates a folder with one link per package. A single link to the
 * whole folder is not enough, because `npm ci` would empty the user's folder through it. Links between packages are
 * copied unchanged, so that links of a monorepo point to the files of the step. Returns the targets of the new links.
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
