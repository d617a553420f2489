import { type Dirent, readdirSync } from 'node:fs';
import { hasErrno } from '../errors/errno.js';
import { hasUnreadableName } from './unreadable-name.js';

/** Lists a folder. Empty if the folder does not exist or cannot be read; `onClosed` is called for the latter. */
export function readFolder(folder: string, onClosed?: (folder: string) => void): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isGone(error) || hasUnreadableName(folder)) onClosed?.(folder);
    return [];
  }
}

function isGone(error: unknown): boolean {
  return hasErrno(error, 'ENOENT', 'ENOTDIR');
}
