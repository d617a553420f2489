import type { BytePath } from './byte-path.js';
import type { FileSnapshot } from './file-snapshot.js';
import type { IsolationFolder } from './isolation-folder.js';
import type { LinkedFolder } from './linked-folders.js';

/** What is known of an open copy. */
export interface CopyState {
  /** The original, its real path. */
  readonly root: string;
  readonly stateDir: string;
  readonly home: IsolationFolder;
  readonly id: string;
  readonly known: ReadonlyMap<BytePath, FileSnapshot>;
  readonly linked: readonly LinkedFolder[];
  /** The texts as they were; absent where there is no git that could merge them. */
  readonly texts?: string | undefined;
}
