import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';

export interface SessionFile {
  readonly path: string;
  /** Name of the folder below `tmp`: the short name of the project, or its hash. */
  readonly folder: string;
  /** Id of the parent session of a sub-agent. */
  readonly parentId: string | undefined;
}

/** Lists the session files in a project's folder. The oldest versions of the CLI had no subfolder `chats`. */
export function sessionFilesIn(geminiHome: string, folder: string): SessionFile[] {
  const root = join(geminiHome, 'tmp', folder);
  const chats = join(root, 'chats');
  const entries = readFolder(chats);
  const main = [
    ...filesOf(chats, entries),
    ...filesOf(root, readFolder(root)).filter((path) => /[\\/]session-[^\\/]*$/.test(path)),
  ].map((path) => ({ path, folder, parentId: undefined }));
  const agents = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: parentId }) => {
      const nested = join(chats, parentId);
      return filesOf(nested, readFolder(nested)).map((path) => ({ path, folder, parentId }));
    });
  return [...main, ...agents];
}

/** Returns the path of the file of a sub-agent, which is in a folder named after the session. */
export function subagentFile(sessionFile: string, sessionId: string, agentId: string): string {
  return join(sessionFile, '..', sessionId, `${agentId}.jsonl`);
}

function filesOf(folder: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}
