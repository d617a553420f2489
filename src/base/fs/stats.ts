import { lstatSync, type Stats, statSync } from 'node:fs';

/**
 * What is at a path, links followed; undefined where there is nothing to be reached. The option of `statSync`
 * that should do this throws all the same where a folder of the path is a file, or the path has a NUL in it.
 */
export function statIfThere(path: string): Stats | undefined {
  return ifThere(() => statSync(path));
}

/** The same for the link itself. */
export function lstatIfThere(path: string): Stats | undefined {
  return ifThere(() => lstatSync(path));
}

function ifThere(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
