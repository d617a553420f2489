import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { askGit } from '../../base/git/run-git.js';
import { findCopyChanges } from './copy-changes.js';
import { copyFolder } from './copy-folder.js';
import { keepCopyPatch } from './copy-patch.js';
import { createWorkspace } from './create-workspace.js';
import { describeDiskError } from './disk-error.js';
import type { IsolatedWorkspace, IsolationOptions } from './isolated-workspace.js';
import { chooseIsolationFolder } from './isolation-folder.js';
import { createId, journalFile, writeRecord } from './isolation-record.js';
import { DEFAULT_LINK_FOLDERS, linkFolders } from './linked-folders.js';
import { createMarkedFolder } from './marked-folder.js';
import { mergeCopy } from './merge-copy.js';
import { removeJournal } from './merge-journal.js';
import { treeLock } from './read-write-lock.js';
import { removeIsolation } from './remove-isolation.js';

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
    const state = { root, stateDir, home, id, known: copy.known, linked, texts };
    return createWorkspace({
      kind: 'copy',
      id,
      root,
      tree,
      workspaceDir: options.workspaceDir,
      dir: tree,
      notes: copy.notes,
      linked,
      find: (extraPaths) => findCopyChanges(state, extraPaths),
      merge: (changes) => mergeCopy(state, changes),
      keep: (changes, file) => keepCopyPatch(state, changes, file),
      keepMerge: () => removeJournal(journalFile(stateDir, id)),
      remove: () => removeIsolation(stateDir, record),
    });
  } catch (error) {
    await removeIsolation(stateDir, record);
    throw describeDiskError(error, `Cannot create a copy for ${options.label}`);
  }
}
