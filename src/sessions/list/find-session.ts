import { resolve } from 'node:path';
import type { SessionLocation } from '../../api/session-list.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import {
  chooseById,
  foldersToSearch,
  hasIdInName,
  type SessionQuery,
} from '../files/find-session-by-id.js';
import { readSessions } from '../files/found-session.js';
import { geminiHomeAt } from '../files/gemini-home.js';
import { type SessionFile, sessionFilesIn } from '../files/session-files.js';
import { acceptLocation, acceptWanted } from '../session-input.js';
import { chooseByNumber, isNumber, readNumberedSessions } from './numbered-sessions.js';

/**
 * Finds the file of a session by its id, the first eight characters of the id, its number in the project (1 is the
 * oldest), or `latest`. An id is searched in all projects, first in that of `projectDir`.
 */
export async function findSessionFile(
  wanted: string | number,
  location: SessionLocation = {},
): Promise<string | undefined> {
  const name = String(acceptWanted(wanted)).trim();
  const checked = acceptLocation(location);
  const geminiHome = geminiHomeAt(checked);
  const projectDir = resolve(checked.projectDir ?? '.');
  if (name === '') return undefined;
  if (isNumber(name)) {
    return chooseByNumber(readNumberedSessions({ geminiHome, projectDir }), name)?.path;
  }
  const query = { geminiHome, projectDir, sessionId: name };
  // A user may have renamed the file, so files of any name are searched last.
  return (
    searchFolders(query, (file) => hasIdInName(file, name)) ??
    // Slow: a machine may have thousands of sessions.
    searchFolders(query, () => true)
  );
}

/** Searches main sessions and sub-agents, by the whole id or its first eight characters. */
function searchFolders(
  query: SessionQuery,
  isCandidate: (file: SessionFile) => boolean,
): string | undefined {
  for (const folder of foldersToSearch(query)) {
    const files = sessionFilesIn(query.geminiHome, folder).filter(isCandidate);
    const session = chooseById(readSessions(files), query.sessionId);
    if (session !== undefined) return session.path;
  }
  return undefined;
}

/** True if the value is the path of a session file and not an id or a number. */
export function isFilePath(wanted: string | number): wanted is string {
  return typeof wanted === 'string' && /[\\/]|\.jsonl?$/.test(wanted);
}

/** Finds the file of a session, or accepts the path of a file. Throws INVALID_INPUT if there is none. */
export async function requireSessionFile(
  given: string | number,
  location: SessionLocation = {},
): Promise<string> {
  const wanted = acceptWanted(given);
  const { projectDir = '.', geminiHome } = location;
  const file = isFilePath(wanted)
    ? resolve(wanted)
    : await findSessionFile(wanted, { projectDir, geminiHome });
  if (file !== undefined && statIfThere(file)?.isFile()) return file;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `There is no session ${describeWanted(wanted, projectDir)}`,
    hint:
      wanted === 'latest'
        ? 'Run a step in this folder first, or name another project with `projectDir`.'
        : 'Give a session id, its first eight characters, the number of the session in the project, or "latest". `listSessions()` shows them.',
  });
}

/** Describes a session. A number and `latest` mean another session in each project. */
function describeWanted(wanted: string | number, projectDir: string): string {
  if (isFilePath(wanted)) return `file ${wanted}`;
  if (!isNumber(String(wanted).trim())) return String(wanted);
  return `${wanted} in the project ${resolve(projectDir)}`;
}
