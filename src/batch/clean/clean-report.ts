/** A file or folder that a clean-up removes. */
export interface RemovedItem {
  readonly path: string;
  /** What the item is, in words. */
  readonly what: string;
  readonly bytes: number;
}

/** A file or folder that a clean-up has left, and why. */
export interface KeptItem {
  readonly path: string;
  readonly reason: string;
}

/** Result of a clean-up. In a dry run, `removed` lists what would be removed. */
export interface CleanReport {
  readonly removed: readonly RemovedItem[];
  readonly kept: readonly KeptItem[];
  /** Further messages, such as merges that were reverted. */
  readonly notes: readonly string[];
}
