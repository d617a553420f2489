import { dirname, join } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { readEnvironment } from '../../base/process/environment.js';
import { readStats } from './file-identity.js';
import { type Repository, readRepository } from './open-repository.js';

/** Most folders whose repositories are remembered. */
const MOST_FOLDERS = 32;

interface KnownRepository {
  readonly repository: Repository;
  readonly stamp: string;
}

/** Repositories by PATH and folder. */
const known = new Map<string, KnownRepository>();

/**
 * Reads the repository of a folder, and asks git only once for each folder: its paths and settings stay the same for
 * thousands of steps. Git is asked again if the repository was replaced, a nearer one was created or its settings have
 * changed.
 */
export async function openKnownRepository(
  workspaceDir: string,
  signal?: AbortSignal,
): Promise<Repository> {
  const folder = realpathOf(workspaceDir);
  const key = `${readEnvironment()['PATH'] ?? ''}\0${folder}`;
  const found = known.get(key);
  if (found !== undefined && found.stamp === stampOf(folder, found.repository)) {
    return found.repository;
  }
  const repository = await readRepository(folder, signal);
  known.delete(key);
  known.set(key, { repository, stamp: stampOf(folder, repository) });
  const [oldest] = known.keys();
  if (known.size > MOST_FOLDERS && oldest !== undefined) known.delete(oldest);
  return repository;
}

/** Describes the files that the facts of a repository depend on. */
function stampOf(folder: string, { top, gitDir, commonDir }: Repository): string {
  const stamps: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const stats = readStats(join(at, '.git'));
    // Time and size of a folder change with its content, those of a `.git` file with the repository it names.
    const content = stats?.isDirectory() ? '' : `${stats?.mtimeNs} ${stats?.size}`;
    stamps.push(`${stats?.dev} ${stats?.ino} ${content}`);
    if (at === top || at === dirname(at)) break;
  }
  for (const path of [join(commonDir, 'config'), join(gitDir, 'config.worktree'), gitDir]) {
    const stats = readStats(path);
    const time = path === gitDir ? '' : `${stats?.mtimeNs} ${stats?.size}`;
    stamps.push(`${stats?.dev} ${stats?.ino} ${time}`);
  }
  return stamps.join('\n');
}
