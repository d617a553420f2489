import type { BytePath } from './byte-path.js';
import type { FileSnapshot } from './file-snapshot.js';
import type { IsolationFolder } from './isolation-folder.js';
import type { LinkedFolder } from './linked-folders.js';

/** State of an open copy. */
export interface CopyState {
  /** Real path of the original. */
  readonly root: string;
  readonly stateDir: string;
  readonly home: IsolationFolder;
  readonly id: string;
  readonly known: ReadonlyMap<BytePath, FileSnapshot>;
  readonly linked: readonly LinkedFolder[];
  /** Folder with the old contents of text files; absent if there is no git to merge them. */
  readonly texts?: string | undefined;
}
