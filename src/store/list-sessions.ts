import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { TokenCounts } from '../contract/result.js';
import type { ListSessionsOptions, SessionInfo } from '../contract/session.js';
import { allProjectFolders, projectDirs, projectFolders } from '../session/project-folders.js';
import { readSession } from '../session/read-session.js';
import { sumTokens } from '../session/token-sum.js';
import { countUnifiedMessages } from '../unified/to-unified-messages.js';
import { compare, type FoundSession, numberSessions, readSessions } from './numbered-sessions.js';
import { sessionFilesIn } from './session-files.js';
import { geminiHomeAt } from './session-places.js';

/** Files up to this size are always counted. */
const SMALL_BYTES = 32 * 1024;
/** Of the larger ones, the newest as far as this goes. */
const COUNTED_BYTES = 2 * 1024 * 1024;
/** Files are looked at one after the other, without a thread for each: that is many times quicker. */
const FILES_AT_ONCE = 64;

/** The sessions of a project or of all, newest first. Only the beginning and the end of a file are read. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionInfo[]> {
  const geminiHome = geminiHomeAt(options);
  const { projectDir, limit = Number.POSITIVE_INFINITY } = options;
  const folders =
    projectDir === undefined
      ? allProjectFolders(geminiHome)
      : projectFolders({ geminiHome, projectDir });
  const dirOf = projectDirs(geminiHome);
  const infos: SessionInfo[] = [];
  for (const folder of folders) {
    const sessions = await readFolderOf(geminiHome, folder);
    const numbers = new Map(numberSessions(sessions).map(({ path }, index) => [path, index + 1]));
    const shown = sessions.filter((session) => options.subagents === true || !isAgent(session));
    infos.push(...shown.map((session) => toInfo(session, numbers, dirOf(folder))));
  }
  infos.sort((a, b) => compare(b.updatedAt, a.updatedAt));
  return withCounts(infos.slice(0, limit), options.counts ?? 'auto');
}

async function readFolderOf(geminiHome: string, folder: string): Promise<FoundSession[]> {
  const files = sessionFilesIn(geminiHome, folder);
  const sessions: FoundSession[] = [];
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    sessions.push(...readSessions(files.slice(start, start + FILES_AT_ONCE)));
    await letOthersRun();
  }
  return sessions;
}

function isAgent({ parentId, card }: FoundSession): boolean {
  return parentId !== undefined || card.header.kind === 'subagent';
}

function toInfo(
  session: FoundSession,
  numbers: ReadonlyMap<string, number>,
  projectDir: string | undefined,
): SessionInfo {
  const { path, folder, parentId, card } = session;
  const { header, updatedAt, firstPrompt, model, bytes } = card;
  return {
    id: header.sessionId,
    file: path,
    projectName: folder,
    projectDir,
    number: numbers.get(path),
    kind: isAgent(session) ? 'subagent' : (header.kind ?? 'main'),
    parentId,
    startedAt: header.startTime,
    updatedAt,
    firstPrompt,
    summary: header.summary,
    model,
    bytes,
  };
}

async function withCounts(
  infos: readonly SessionInfo[],
  counts: 'auto' | 'exact',
): Promise<SessionInfo[]> {
  let spentBytes = 0;
  const counted: SessionInfo[] = [];
  for (const info of infos) {
    const isSmall = info.bytes <= SMALL_BYTES;
    const isCheap = isSmall || spentBytes + info.bytes <= COUNTED_BYTES;
    if (!isSmall && isCheap) spentBytes += info.bytes;
    counted.push(counts === 'exact' || isCheap ? { ...info, ...(await count(info.file)) } : info);
  }
  return counted;
}

async function count(
  file: string,
): Promise<{ readonly messageCount?: number; readonly tokens?: TokenCounts }> {
  try {
    const { messages } = await readSession(file);
    return { messageCount: countUnifiedMessages(messages), tokens: sumTokens(messages) };
  } catch {
    // Gone since it was listed.
    return {};
  }
}
