import { sha256 } from '../../base/fs/fingerprint.js';
import { realpathOf } from '../../base/fs/paths.js';
import { spellingsOf } from '../files/project-folders.js';

/** Paths in the content of a file, and the paths that replace them. */
export type PathReplacements = ReadonlyMap<string, string>;

/** Creates the replacements for a session that moves from one project to another: its paths and their hashes. */
export function replaceProject(from: string, to: string): PathReplacements {
  const target = realpathOf(to);
  return new Map(
    spellingsOf(from).flatMap((path) => [
      [path, target],
      [sha256(path), sha256(target)],
    ]),
  );
}

/** No character of a longer path before the path. The letter of an escape such as `\\n` is none. */
const BEFORE = String.raw`(?<!(?<!\\)[\w./\x80-\xff-])`;
/** No further character of the name after the path. A dot may end a sentence. */
const AFTER = String.raw`(?![\w\x80-\xff-]|\.[\w\x80-\xff])`;

/**
 * Replaces paths in the text of a session file, together with paths below them. A path is replaced only as a whole:
 * `/a/repo` does not match in `/a/repo-2` or in `/mnt/a/repo`. The content is treated as bytes, so that damaged text
 * stays as it is.
 */
export function mapPaths(content: Buffer, replacements: PathReplacements): Buffer {
  let text = content.toString('latin1');
  for (const [from, to] of replacements) {
    const pattern = new RegExp(BEFORE + escapePattern(toJsonBytes(from)) + AFTER, 'g');
    text = text.replace(pattern, () => toJsonBytes(to));
  }
  return Buffer.from(text, 'latin1');
}

/** Writes a path as it appears within a JSON string, with one character for each byte. */
function toJsonBytes(path: string): string {
  return Buffer.from(JSON.stringify(path).slice(1, -1)).toString('latin1');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
