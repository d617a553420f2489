import type { BytePath } from './byte-path.js';
import type { FileSnapshot } from './file-snapshot.js';
import type { IsolationFolder } from './isolation-folder.js';
import type { LinkedFolder } from './linked-folders.js';

/** State of an open copy. */
export interface CopyState {
  /** Real path of the original. */
  readonly root: string;
  readonly home: IsolationFolder;
  readonly known: ReadonlyMap<BytePath, FileSnapshot>;
  readonly linked: readonly LinkedFolder[];
}
