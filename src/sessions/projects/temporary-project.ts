import { join, resolve } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { readFolder } from '../../base/fs/read-folder.js';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import { PROJECT_ROOT_FILE, projectFolders } from '../files/project-folders.js';
import { replaceProject } from './map-paths.js';
import { moveProjectFiles } from './move-project-files.js';
import { openProjectFolder } from './open-project-folder.js';
import {
  type ProjectRecord,
  readProjectRecords,
  removeProjectRecord,
  writeProjectRecord,
} from './project-record.js';
import { unregisterProject } from './project-registry.js';

export interface TemporaryProjectOptions {
  readonly geminiHome: string;
  /** Folder in which the CLI works for a while. */
  readonly workingDir: string;
  /** Project that gets the sessions. Undefined if the CLI gets no prompt in the folder. */
  readonly projectDir?: string | undefined;
}

/** Use of a temporary folder by the CLI, which makes a project of each folder in which it is started. */
export interface TemporaryProject {
  /**
   * Moves the sessions into their project, and removes what the CLI keeps for the temporary folder. Call it after the
   * last turn. `isFinal` is false if the CLI may still create a session in the folder: `removeEndedProjects` then looks
   * at the folder again. Never throws.
   */
  end(isFinal?: boolean): Promise<void>;
}

/** Uses of one folder at the same time. */
interface Use extends TemporaryProjectOptions {
  readonly record: Omit<ProjectRecord, 'owner'>;
  readonly file: string;
  users: number;
}

const uses = new Map<string, Use>();
/** Homes of the CLI that this process has used. */
const homes = new Set<string>();

/**
 * Begins the use of a temporary folder. A record on the disk comes first, so that the clean-up can be done after a
 * crash. Throws the error of the disk if the record cannot be written.
 */
export async function beginTemporaryProject(
  options: TemporaryProjectOptions,
): Promise<TemporaryProject> {
  const { geminiHome, workingDir, projectDir } = options;
  // The sessions are where they belong.
  if (projectDir !== undefined && isInside(workingDir, projectDir)) return { end: async () => {} };
  if (!homes.has(geminiHome)) {
    homes.add(geminiHome);
    await removeEndedProjects([geminiHome]);
  }
  const key = JSON.stringify([geminiHome, resolve(workingDir)]);
  const use = uses.get(key) ?? beginUse(options);
  uses.set(key, use);
  use.users++;
  let hasEnded = false;
  return {
    end: async (isFinal = true) => {
      if (hasEnded) return;
      hasEnded = true;
      use.users--;
      if (use.users > 0) return;
      uses.delete(key);
      await endUse(use, isFinal);
    },
  };
}

/** Cleans up after uses that have ended in this process, or whose process has died. Never throws. */
export async function removeEndedProjects(geminiHomes: Iterable<string> = homes): Promise<void> {
  for (const geminiHome of geminiHomes) {
    for (const [file, record] of readProjectRecords(geminiHome)) {
      const isOwn = record.owner.id === describeProcess().id;
      const isUsed = [...uses.values()].some((use) => use.file === file);
      const hasEnded = isOwn ? !isUsed : isKnownDead(record.owner);
      if (hasEnded) await endUse({ geminiHome, record, file }, true);
    }
  }
}

function beginUse(options: TemporaryProjectOptions): Use {
  const { geminiHome, workingDir } = options;
  const projectDir = options.projectDir && realpathOf(resolve(options.projectDir));
  const kept = projectFolders({ geminiHome, projectDir: workingDir }).flatMap((folder) => {
    return listFiles(join(geminiHome, 'tmp', folder));
  });
  const record = { workingDir: resolve(workingDir), projectDir, kept };
  return { ...options, record, file: writeProjectRecord(geminiHome, record), users: 0 };
}

async function endUse(
  { geminiHome, record, file }: Pick<Use, 'geminiHome' | 'record' | 'file'>,
  isFinal: boolean,
): Promise<void> {
  try {
    const isDone = await moveSessions(geminiHome, record);
    if (isDone && isFinal) removeProjectRecord(geminiHome, file);
  } catch {
    // A full or closed disk. The record stays for the next clean-up.
  }
}

/** Moves the sessions of a temporary project. Returns false if the clean-up has to be repeated. */
async function moveSessions(
  geminiHome: string,
  { workingDir, projectDir, kept }: Omit<ProjectRecord, 'owner'>,
): Promise<boolean> {
  for (const folder of projectFolders({ geminiHome, projectDir: workingDir })) {
    const from = join(geminiHome, 'tmp', folder);
    const move = { from, kept: new Set(kept) };
    if (projectDir === undefined) await moveProjectFiles({ ...move, to: undefined });
    else {
      const to = await openProjectFolder(geminiHome, projectDir);
      if (to === undefined) return false;
      const replacements = new Map([...replaceProject(workingDir, projectDir), [from, to]]);
      await moveProjectFiles({ ...move, to, replacements });
    }
  }
  return unregisterProject(geminiHome, workingDir);
}

/** Lists the files below a folder, as paths from the folder. */
function listFiles(folder: string, path = ''): string[] {
  return readFolder(join(folder, path)).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return listFiles(folder, inner);
    return inner === PROJECT_ROOT_FILE ? [] : [inner];
  });
}
