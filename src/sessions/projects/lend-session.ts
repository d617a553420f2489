import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { chooseById } from '../files/find-session-by-id.js';
import { chooseByNumber, isNumber, readNumberedSessions } from '../list/numbered-sessions.js';
import { mapPaths, replaceProject } from './map-paths.js';
import { openProjectFolder } from './open-project-folder.js';

export interface LendOptions {
  readonly geminiHome: string;
  /** Project with the session. */
  readonly projectDir: string;
  /** Temporary folder in which the session is resumed. */
  readonly workingDir: string;
  /** Session id, number of the session in the project, or `latest`. */
  readonly wanted: string;
}

/**
 * Copies a session of a project into the project of a temporary folder, so that the CLI can resume it there. The end of
 * the temporary project brings the session back. Returns the id of the session; undefined if the project does not have
 * the session.
 */
export async function lendSession(options: LendOptions): Promise<string | undefined> {
  const { geminiHome, projectDir, workingDir, wanted } = options;
  const sessions = readNumberedSessions({ geminiHome, projectDir });
  const session = (isNumber(wanted) ? chooseByNumber : chooseById)(sessions, wanted);
  const folder = session && (await openProjectFolder(geminiHome, workingDir));
  if (session === undefined || folder === undefined) return undefined;
  const content = mapPaths(await readFile(session.path), replaceProject(projectDir, workingDir));
  await mkdir(join(folder, 'chats'), { recursive: true });
  await writeAtomically(join(folder, 'chats', basename(session.path)), content, 0o600);
  return session.summary.header.sessionId;
}
