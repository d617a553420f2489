import type { BytePath } from './byte-path.js';
import type { Home } from './choose-home.js';
import type { KnownFile } from './known-file.js';
import type { LinkedFolder } from './linked-folders.js';

/** What is known of an open copy. */
export interface CopyState {
  /** The original, its real path. */
  readonly root: string;
  readonly stateDir: string;
  readonly home: Home;
  readonly id: string;
  readonly known: ReadonlyMap<BytePath, KnownFile>;
  readonly linked: readonly LinkedFolder[];
  /** The texts as they were; absent where there is no git that could merge them. */
  readonly texts?: string | undefined;
}
