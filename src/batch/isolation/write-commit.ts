import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { readStats } from './file-identity.js';

/** Author of commits and log lines that store states of the workspace. */
export const AUTHOR = 'gemini-cli-provider <gemini-cli-provider@localhost>';
const READ_ONLY = 0o444;
/** Characters of an object name in a repository with SHA-1. Longer names are SHA-256. */
const SHA1_CHARACTERS = 40;

/**
 * Writes a commit without a ref as a loose object and returns its name. `git merge-tree` needs commits to find the
 * common base. The same tree, parent and time give the same name. A call of `git commit-tree` for each of them would cost more than the merge of a small step.
 */
export function writeCommit(
  commonDir: string,
  tree: string,
  parent: string | undefined,
  seconds: number = Math.floor(Date.now() / 1000),
): string {
  const when = `${seconds} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${AUTHOR} ${when}`,
    `committer ${AUTHOR} ${when}`,
    '',
    'State of a workspace',
    '',
  ];
  const content = Buffer.from(lines.join('\n'));
  const object = Buffer.concat([Buffer.from(`commit ${content.length}\0`), content]);
  const name = hashObject(object, tree.length);
  const folder = join(commonDir, 'objects', name.slice(0, 2));
  const file = join(folder, name.slice(2));
  if (readStats(file) !== undefined) {
    // Git removes old objects that nothing refers to: the time of this one begins now.
    utimesSync(file, new Date(), new Date());
    return name;
  }
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(unfinished, deflateSync(object), { mode: READ_ONLY, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return name;
}

/** Returns the name that git gives to a blob with this content. `characters` is the length of names in the repository. */
export function blobName(content: Buffer, characters: number): string {
  return hashObject(Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]), characters);
}

function hashObject(object: Buffer, characters: number): string {
  return createHash(characters === SHA1_CHARACTERS ? 'sha1' : 'sha256')
    .update(object)
    .digest('hex');
}
