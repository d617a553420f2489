import { lstatIfThere } from './stats.js';

const REPLACEMENT = '\ufffd';

/** True if a listed path has a name that is not UTF-8. As a string, such a path does not lead to its file. */
export function hasUnreadableName(path: string): boolean {
  return path.includes(REPLACEMENT) && lstatIfThere(path) === undefined;
}
