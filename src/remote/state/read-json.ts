import { readIfThere } from '../../base/fs/read-if-there.js';

/** Reads a file of the state folder as JSON. Returns undefined for a file that is missing or damaged. */
export function readJson(file: string): unknown {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
