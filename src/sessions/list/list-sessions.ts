import { resolve } from 'node:path';
import type { ListSessionsOptions, SessionInfo } from '../../api/session-list.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { compareText } from '../../base/text/compare-text.js';
import { eachOnce, type FoundSession, isSubagent, readSessions } from '../files/found-session.js';
import { geminiHomeAt } from '../files/gemini-home.js';
import { allProjectFolders, projectDirs, projectFolders } from '../files/project-folders.js';
import { sessionFilesIn } from '../files/session-files.js';
import { acceptListOptions } from '../session-input.js';
import { countSessions } from './count-sessions.js';
import { numberSessions } from './numbered-sessions.js';

/** Files read between two yields. Synchronous reads are many times faster, but block the event loop. */
const FILES_PER_YIELD = 64;

/** Lists the sessions of one project or of all, newest first. Reads only both ends of each file, except for counts. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionInfo[]> {
  const checked = acceptListOptions(options);
  const geminiHome = geminiHomeAt(checked);
  const { limit = Number.POSITIVE_INFINITY, subagents = false } = checked;
  const infos: SessionInfo[] = [];
  for (const { projectDir, folders } of findProjects(geminiHome, checked.projectDir)) {
    const found = await Promise.all(folders.map((folder) => readFolderOf(geminiHome, folder)));
    // The CLI numbers only the sessions in the folder in use.
    const numbers = new Map(
      numberSessions(found[0] ?? []).map(({ path }, index) => [path, index + 1]),
    );
    const shown = eachOnce(found.flat()).filter((session) => subagents || !isSubagent(session));
    infos.push(...shown.map((session) => toInfo(session, numbers, projectDir)));
  }
  infos.sort((a, b) => compareText(b.updatedAt, a.updatedAt));
  return countSessions(
    infos.slice(0, Math.max(0, limit)),
    checked.counts ?? 'auto',
    checked.prices,
  );
}

interface Project {
  readonly projectDir: string | undefined;
  /** Folders of the project, the one in use first. */
  readonly folders: readonly string[];
}

function findProjects(geminiHome: string, projectDir: string | undefined): readonly Project[] {
  if (projectDir !== undefined) {
    const dir = resolve(projectDir);
    return [{ projectDir: dir, folders: projectFolders({ geminiHome, projectDir: dir }) }];
  }
  const dirOf = projectDirs(geminiHome);
  const projects = new Map<string, string[]>();
  // Sort hashes last: only older versions of the CLI used them.
  const folders = allProjectFolders(geminiHome).sort(
    (a, b) => Number(isHash(a)) - Number(isHash(b)),
  );
  for (const folder of folders) {
    const key = dirOf(folder) ?? folder;
    projects.set(key, [...(projects.get(key) ?? []), folder]);
  }
  return [...projects.values()].map((group) => ({
    projectDir: dirOf(group[0] ?? ''),
    folders: group,
  }));
}

function isHash(folder: string): boolean {
  return /^[0-9a-f]{64}$/.test(folder);
}

async function readFolderOf(geminiHome: string, folder: string): Promise<FoundSession[]> {
  const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD });
  const sessions: FoundSession[] = [];
  for (const file of sessionFilesIn(geminiHome, folder)) {
    sessions.push(...readSessions([file]));
    await eventLoop.spend(1);
  }
  return sessions;
}

function toInfo(
  session: FoundSession,
  numbers: ReadonlyMap<string, number>,
  projectDir: string | undefined,
): SessionInfo {
  const { path, folder, parentId, summary } = session;
  const { header, startedAt, updatedAt, firstPrompt, model, bytes } = summary;
  return {
    id: header.sessionId,
    file: path,
    projectName: folder,
    projectDir,
    number: numbers.get(path),
    kind: isSubagent(session) ? 'subagent' : (header.kind ?? 'main'),
    parentId,
    startedAt,
    updatedAt,
    firstPrompt,
    summary: header.summary,
    model,
    bytes,
  };
}
