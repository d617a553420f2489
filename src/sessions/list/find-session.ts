import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { SessionLocation } from '../../api/session.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { allProjectFolders, projectFolders } from '../files/project-folders.js';
import { chooseById, chooseByNumber, isNumber, SHORT_ID_LENGTH } from './choose-session.js';
import { numberedSessions, readSessions } from './numbered-sessions.js';
import { type SessionFile, sessionFilesIn } from './session-files.js';
import { geminiHomeAt } from './session-places.js';

/**
 * The file of a session: by its id or the first eight characters of it, by its number in the project (1 is the
 * oldest), or `latest`. An id is looked for in all projects, that of `projectDir` first.
 */
export async function findSessionFile(
  wanted: string | number,
  place: SessionLocation = {},
): Promise<string | undefined> {
  const name = String(wanted).trim();
  const geminiHome = geminiHomeAt(place);
  const projectDir = resolve(place.projectDir ?? '.');
  if (name === '') return undefined;
  if (isNumber(name)) {
    return chooseByNumber(numberedSessions({ geminiHome, projectDir }), name)?.path;
  }
  const own = projectFolders({ geminiHome, projectDir });
  const folders = [...new Set([...own, ...allProjectFolders(geminiHome)])];
  const projects = folders.map((folder) => sessionFilesIn(geminiHome, folder));
  // Nearly always the name of the file has the beginning of the id.
  const start = name.slice(0, SHORT_ID_LENGTH);
  const named = projects.map((files) => {
    return files.filter(({ path }) => basename(path).includes(start));
  });
  return findIn(named, name) ?? findIn(projects, name);
}

/** In the first of the projects that has it. */
function findIn(projects: readonly (readonly SessionFile[])[], wanted: string): string | undefined {
  for (const files of projects) {
    const session = chooseById(readSessions(files), wanted);
    if (session !== undefined) return session.path;
  }
  return undefined;
}

/** A file may be given wherever a session is asked for. */
export function isFilePath(wanted: string | number): wanted is string {
  return typeof wanted === 'string' && /[\\/]|\.jsonl?$/.test(wanted);
}

/** The same for a session or a file, where none is an error. */
export async function requireSessionFile(
  wanted: string | number,
  place: SessionLocation = {},
): Promise<string> {
  const file = isFilePath(wanted) ? resolve(wanted) : await findSessionFile(wanted, place);
  if (file !== undefined && isFile(file)) return file;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `There is no session ${isFilePath(wanted) ? 'file ' : ''}${wanted}`,
    hint: 'Give an id, its first eight characters, its number in the project, or "latest"; `gemini-cli-provider sessions list` shows them.',
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
