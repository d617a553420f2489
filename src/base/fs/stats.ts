import { lstatSync, type Stats, statSync } from 'node:fs';

/**
 * Returns the stats of a path and follows links. Undefined if the path cannot be reached. The option `throwIfNoEntry`
 * of `statSync` is not enough: it still throws if a parent is a file or if the path contains a NUL.
 */
export function statIfThere(path: string): Stats | undefined {
  return ifThere(() => statSync(path));
}

/** Returns the stats of a path without following a link at its end. Undefined if the path cannot be reached. */
export function lstatIfThere(path: string): Stats | undefined {
  return ifThere(() => lstatSync(path));
}

function ifThere(readStats: () => Stats): Stats | undefined {
  try {
    return readStats();
  } catch {
    return undefined;
  }
}
