import { lstatIfThere } from './stats.js';

const REPLACEMENT = '\ufffd';

/** Whether a listed path has a name that is not UTF-8: as a string it leads nowhere. */
export function hasUnreadableName(path: string): boolean {
  return path.includes(REPLACEMENT) && lstatIfThere(path) === undefined;
}
