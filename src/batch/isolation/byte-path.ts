import { toSlashes } from '../../base/fs/paths.js';
import { describeName } from '../../base/git/git-names.js';

/** Relative path with `/` and one character per byte (latin1), because names on a disk need not be UTF-8. */
export type BytePath = string;

export function toBytePath(path: string): BytePath {
  return Buffer.from(toSlashes(path)).toString('latin1');
}

function fromBytePath(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** Formats a path for messages. Bytes that are not UTF-8 are written as `\xff`. */
export function describePath(path: BytePath): string {
  return describeName(path);
}

/** Returns the absolute path as bytes, for functions of `node:fs`. */
export function onDisk(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), fromBytePath(path)]);
}

/** Lists the parent folders, outermost first: `a` and `a/b` for `a/b/c`. */
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

/** Splits a list of names as git prints it with `-z`. */
export function splitNames(output: Buffer): BytePath[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');
}

/** Joins names to a list as git reads it with `-z`. */
export function joinNames(paths: readonly BytePath[]): Buffer {
  return fromBytePath(paths.map((path) => `${path}\0`).join(''));
}
