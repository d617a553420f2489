import { toSlashes } from '../../base/fs/paths.js';
import { describeName } from '../../base/git/git-names.js';

/** A path below some folder, one character for each byte and `/` between: names on a disk need not be UTF-8. */
export type BytePath = string;

export function toBytePath(path: string): BytePath {
  return Buffer.from(toSlashes(path)).toString('latin1');
}

export function fromBytePath(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** For people: non-UTF-8 bytes are written as `\xff`. */
export function describePath(path: BytePath): string {
  return describeName(path);
}

/** The absolute path, to be given to functions of the file system as it is. */
export function onDisk(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), fromBytePath(path)]);
}

/** From the outermost on: `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: BytePath): BytePath[] {
  const folders: BytePath[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

export function isAtOrBelow(folder: BytePath, path: BytePath): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** As git writes and reads lists of names with `-z`. */
export function splitNames(output: Buffer): BytePath[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');
}

export function joinNames(paths: readonly BytePath[]): Buffer {
  return fromBytePath(paths.map((path) => `${path}\0`).join(''));
}
