import type { Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';

export interface SessionFile {
  readonly path: string;
  /** Name of the folder below `tmp`: the short name of the project, or its hash. */
  readonly folder: string;
  /** Id of the parent session of a sub-agent. */
  readonly parentId: string | undefined;
}

/** Lists the session files in a project's folder without those of sub-agents, each of which has its own folder. */
export function mainSessionFilesIn(geminiHome: string, folder: string): SessionFile[] {
  const chats = join(geminiHome, 'tmp', folder, 'chats');
  return mainFiles(chats, folder, readFolder(chats));
}

/** Lists the session files in a project's folder, those of sub-agents last. */
export function sessionFilesIn(geminiHome: string, folder: string): SessionFile[] {
  const chats = join(geminiHome, 'tmp', folder, 'chats');
  const entries = readFolder(chats);
  const agents = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: parentId }) => {
      const nested = join(chats, parentId);
      return filesOf(nested, readFolder(nested)).map((path) => ({ path, folder, parentId }));
    });
  return [...mainFiles(chats, folder, entries), ...agents];
}

/** Returns the path of the file of a sub-agent, which is in a folder named after the session. */
export function subagentFile(sessionFile: string, sessionId: string, agentId: string): string {
  return join(sessionFile, '..', sessionId, `${agentId}.jsonl`);
}

/** The oldest versions of the CLI had no subfolder `chats`: their files are in the folder above it. */
function mainFiles(chats: string, folder: string, entries: readonly Dirent[]): SessionFile[] {
  const root = dirname(chats);
  return [
    ...filesOf(chats, entries),
    ...filesOf(root, readFolder(root)).filter((path) => basename(path).startsWith('session-')),
  ].map((path) => ({ path, folder, parentId: undefined }));
}

function filesOf(folder: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}
