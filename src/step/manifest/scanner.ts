import { opendirSync, statSync } from 'node:fs';
import { hashFolder } from '../../base/fs/hash-folder.js';
import { realpathOf } from '../../base/fs/paths.js';
import type { ScannerRequest } from '../remote-workspace.js';
import { takeSnapshot } from './snapshot.js';
import type { WorkspaceSnapshot } from './workspace-change.js';

/** Looks at the files of a workspace for another process. */
export class Scanner {
  #snapshot: WorkspaceSnapshot | undefined;

  async serve(request: ScannerRequest): Promise<unknown> {
    switch (request.type) {
      case 'probe':
        for (const folder of request.folders) probe(folder);
        return true;
      case 'snapshot':
        this.#snapshot = await takeSnapshot(request.request);
        return true;
      case 'changes':
        if (this.#snapshot === undefined) throw new Error('There is no snapshot');
        return this.#snapshot.changes();
      case 'hashes':
        return hashFolder(realpathOf(request.folder));
    }
  }
}

/** Asks for the stats and the content of a folder. A missing folder is an answer too. */
function probe(folder: string): void {
  try {
    if (statSync(folder).isDirectory()) opendirSync(folder).closeSync();
  } catch {
    // The file system has answered, with an error.
  }
}
