import { type Dirent, readdirSync } from 'node:fs';

/** What lies in a folder; nothing where it is gone or closed to us. */
export function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
