import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { SessionPlace } from '../contract/session.js';
import { ProviderError } from '../errors/provider-error.js';
import { allProjectFolders, projectFolders } from '../session/project-folders.js';
import { chooseById, chooseByNumber, isNumber, SHORT_ID_LENGTH } from './choose-session.js';
import { numberedSessions, readSessions } from './numbered-sessions.js';
import { sessionFilesIn } from './session-files.js';
import { geminiHomeAt } from './session-places.js';

/**
 * The file of a session: by its id or the first eight characters of it, by its number in the project (1 is the
 * oldest), or `latest`. An id is looked for in all projects, that of `projectDir` first.
 */
export async function findSessionFile(
  wanted: string | number,
  place: SessionPlace = {},
): Promise<string | undefined> {
  const name = String(wanted).trim();
  const geminiHome = geminiHomeAt(place);
  const projectDir = resolve(place.projectDir ?? '.');
  if (isNumber(name)) {
    return chooseByNumber(numberedSessions({ geminiHome, projectDir }), name)?.path;
  }
  if (name.length < SHORT_ID_LENGTH) return undefined;
  const own = projectFolders({ geminiHome, projectDir });
  const folders = new Set([...own, ...allProjectFolders(geminiHome)]);
  for (const folder of folders) {
    const file = findIn(geminiHome, folder, name);
    if (file !== undefined) return file;
  }
  return undefined;
}

function findIn(geminiHome: string, folder: string, wanted: string): string | undefined {
  const start = wanted.slice(0, SHORT_ID_LENGTH);
  const files = sessionFilesIn(geminiHome, folder);
  // Nearly always the name of the file has the beginning of the id.
  const named = files.filter(({ path }) => basename(path).includes(start));
  const session =
    chooseById(readSessions(named), wanted) ?? chooseById(readSessions(files), wanted);
  return session?.path;
}

/** A file may be given wherever a session is asked for. */
export function isFilePath(wanted: string | number): wanted is string {
  return typeof wanted === 'string' && /[\\/]|\.jsonl?$/.test(wanted);
}

/** The same for a session or a file, where none is an error. */
export async function requireSessionFile(
  wanted: string | number,
  place: SessionPlace = {},
): Promise<string> {
  const file = isFilePath(wanted) ? resolve(wanted) : await findSessionFile(wanted, place);
  if (file !== undefined && existsSync(file)) return file;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `There is no session ${isFilePath(wanted) ? 'file ' : ''}${wanted}`,
    hint: 'Give an id, its first eight characters, its number in the project, or "latest"; `gemini-cli-provider sessions list` shows them.',
  });
}
