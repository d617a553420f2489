import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { askGit } from '../../base/git/run-git.js';
import type { IsolationRecord } from './isolation-record.js';
import { markedFolderName } from './marked-folder.js';
import { openRepository } from './open-repository.js';

/** Checks whether a record names only folders that this package would choose for the steps of the plan. */
export type OwnFolders = (record: IsolationRecord) => Promise<boolean>;

/**
 * Creates the check. A record is signed, but a clean-up renames and removes files: it does so only for a working
 * directory of the plan (or the repository that contains it), and only in the folders of an isolated workspace of it.
 */
export function createOwnFolders(stateDir: string, workingDirs: Iterable<string>): OwnFolders {
  const folders = [...new Set([...workingDirs].map(realpathOf))];
  let repositories: Promise<{ readonly top: string; readonly commonDir: string }[]> | undefined;
  return async (record) => {
    const { id, kind, root, home, tree, stage, commonDir } = record;
    const name = markedFolderName(id);
    const parents = [realpathOf(stateDir), realpathOf(tmpdir())];
    const isOurHome =
      parents.some((parent) => home === join(parent, name)) &&
      tree === join(home, 'tree', basename(root) || 'root') &&
      [home, root].some((parent) => stage === join(parent, name));
    if (!isOurHome) return false;
    if (kind === 'copy') return commonDir === undefined && folders.includes(root);
    repositories ??= findRepositories(folders);
    return (await repositories).some((one) => one.top === root && one.commonDir === commonDir);
  };
}

async function findRepositories(
  folders: readonly string[],
): Promise<{ readonly top: string; readonly commonDir: string }[]> {
  const found = await Promise.all(folders.map(findRepository));
  return found.flat();
}

async function findRepository(
  folder: string,
): Promise<{ readonly top: string; readonly commonDir: string }[]> {
  const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'];
  const { exitCode, stdout } = await askGit({ folder }, args);
  if (exitCode !== 0) return [];
  const [top, commonDir, ...more] = stdout.toString().replace(/\n$/, '').split('\n');
  if (top !== undefined && commonDir !== undefined && more.length === 0)
    return [{ top, commonDir }];
  // A path contains line ends. `openRepository` asks for each path separately.
  return openRepository(folder).then(
    (repository) => [repository],
    () => [],
  );
}
