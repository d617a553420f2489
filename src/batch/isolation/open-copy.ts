import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { askGit } from '../../base/git/run-git.js';
import { findCopyChanges } from './copy-changes.js';
import { copyFolder } from './copy-folder.js';
import { createWorkspace } from './create-workspace.js';
import { describeDiskError } from './disk-error.js';
import type { IsolatedWorkspace, IsolationOptions } from './isolated-workspace.js';
import { chooseIsolationFolder } from './isolation-folder.js';
import { createId, writeRecord } from './isolation-record.js';
import { DEFAULT_LINK_FOLDERS, linkFolders } from './linked-folders.js';
import { createMarkedFolder } from './marked-folder.js';
import { treeLock } from './read-write-lock.js';
import { removeFiles, removeIsolation } from './remove-isolation.js';

/** Copies a folder for one attempt. The folder need not be in a repository. */
export async function openCopy(options: IsolationOptions): Promise<IsolatedWorkspace> {
  const { stateDir, signal } = options;
  const root = realpathOf(options.workspaceDir);
  const id = createId();
  const home = chooseIsolationFolder(root, stateDir, id);
  const { folder, tree, stage } = home;
  const record = { id, kind: 'copy', root, home: folder, tree, stage } as const;
  try {
    writeRecord(stateDir, record);
    createMarkedFolder(folder, id);
    const hasGit = (await askGit({ folder }, ['version'], { signal })).exitCode === 0;
    const texts = hasGit ? join(folder, 'texts') : undefined;
    if (texts !== undefined) mkdirSync(texts);
    const names = options.linkFolders ?? DEFAULT_LINK_FOLDERS;
    const request = {
      root,
      tree,
      texts,
      ownFolders: [stateDir, folder],
      linkFolders: names,
      signal,
    };
    const copy = await treeLock.shared(() => copyFolder(request));
    const linked = linkFolders(root, tree, copy.toLink);
    const state = { root, home, known: copy.known, linked };
    return createWorkspace({
      kind: 'copy',
      id,
      stateDir,
      home,
      root,
      tree,
      workspaceDir: options.workspaceDir,
      dir: tree,
      workspaceNotes: copy.notes,
      linked,
      find: async (extraPaths) => {
        return { changes: await findCopyChanges(state, extraPaths), notes: [], texts };
      },
      removeFiles: () => removeFiles(record),
      remove: () => removeIsolation(stateDir, record),
    });
  } catch (error) {
    await removeIsolation(stateDir, record);
    throw describeDiskError(error, `Cannot create a copy for ${options.label}`);
  }
}
