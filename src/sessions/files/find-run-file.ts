import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { allProjectFolders, findSlug } from './project-folders.js';

export interface SessionQuery {
  readonly geminiHome: string;
  readonly sessionId: string;
  /** Looked at first; all other projects after it. */
  readonly projectDir: string;
}

/** Only this much of the id is in the file's name. */
const ID_LENGTH_IN_NAME = 8;

/** The file of a session, by its id. */
export function findRunFile(query: SessionQuery): string | undefined {
  const projects = join(query.geminiHome, 'tmp');
  const slug = findSlug(query);
  const folders = [...(slug === undefined ? [] : [slug]), ...allProjectFolders(query.geminiHome)];
  const header = new RegExp(`"sessionId"\\s*:\\s*"${escapeForRegExp(query.sessionId)}"`);
  const ending = new RegExp(
    `-${escapeForRegExp(query.sessionId.slice(0, ID_LENGTH_IN_NAME))}\\.jsonl?$`,
  );
  for (const folder of new Set(folders)) {
    const chats = join(projects, folder, 'chats');
    const files = filesIn(chats)
      .filter((name) => ending.test(name))
      .map((name) => join(chats, name))
      .filter((path) => header.test(readHead(path)));
    // A resume in a later minute leaves a second file, with nothing in it.
    const [newest] = files.sort((a, b) => modifiedAt(b) - modifiedAt(a));
    if (newest !== undefined) return newest;
  }
  return undefined;
}

/** Sub-agents keep their own files in a folder named after the session. */
export function subagentFile(sessionFile: string, sessionId: string, agentId: string): string {
  return join(sessionFile, '..', sessionId, `${agentId}.jsonl`);
}

/** Enough for the header. Empty where the file cannot be read. */
function readHead(path: string): string {
  const head = Buffer.alloc(4096);
  try {
    const fd = openSync(path, 'r');
    try {
      return head.toString('utf8', 0, readSync(fd, head));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Opening anything else might wait for ever. */
function filesIn(folder: string): string[] {
  return readFolder(folder)
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

function escapeForRegExp(text: string): string {
  return text.replace(/[^\w-]/g, '\\$&');
}
