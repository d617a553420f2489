import { type Dirent, readdirSync } from 'node:fs';
import { hasErrno } from '../errors/errno.js';
import { hasUnreadableName } from './unreadable-name.js';

/** What lies in a folder; nothing where it is gone or closed to us. The latter can be heard of. */
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
