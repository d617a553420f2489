import { readFileSync } from 'node:fs';

/** Reads a text file. Returns undefined if the file does not exist or cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
