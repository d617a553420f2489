import { type BigIntStats, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findRepository, type IgnoreRules, readIgnoreRules } from '../../base/fs/ignore-rules.js';
import { type BytePath, onDisk } from './byte-path.js';
import { readStats } from './file-identity.js';

const RULE_FILES = ['.gitignore'];

export interface WalkedEntry {
  readonly path: BytePath;
  readonly stats: BigIntStats;
  /** True if `.gitignore` files ignore the entry, as git would; also for `.git` and `node_modules`. */
  readonly isIgnored: boolean;
}

export interface WalkOptions {
  /** Path of the folder, or of the folder that it is a copy of. Ignore files in its parent folders count too. */
  readonly original: string;
  /** True for entries that are skipped, with everything below them. */
  readonly isSkipped: (path: BytePath, stats: BigIntStats, isIgnored: boolean) => boolean;
}

interface PendingFolder {
  readonly path: BytePath;
  readonly rules: IgnoreRules;
  readonly isIgnored: boolean;
}

/** Lists all entries below a folder, each folder before its content. Does not follow links. */
export function* walkFolder(root: string, options: WalkOptions): Generator<WalkedEntry> {
  const repository = findRepository(options.original);
  const above = readIgnoreRules(options.original, RULE_FILES, repository);
  // A folder that its repository ignores would have ignored files only, and none of them would be merged.
  const isTop = repository === undefined || repository === resolve(options.original);
  const isOwnFolder = !isTop && above.ignores(resolve(options.original), true);
  const rules = readIgnoreRules(root, RULE_FILES, root);
  const pending: PendingFolder[] = [{ path: '', rules, isIgnored: false }];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const folder = current.path === '' ? Buffer.from(root) : onDisk(root, current.path);
    const inside = current.isIgnored ? current.rules : current.rules.enter(folder.toString());
    for (const name of readdirSync(folder, 'latin1')) {
      const path = current.path === '' ? name : `${current.path}/${name}`;
      const stats = readStats(onDisk(root, path));
      if (stats === undefined) continue;
      const isFolder = stats.isDirectory();
      const text = Buffer.from(path, 'latin1').toString();
      const isIgnored =
        current.isIgnored ||
        inside.ignores(join(root, text), isFolder) ||
        (!isOwnFolder && above.ignores(join(options.original, text), isFolder));
      if (options.isSkipped(path, stats, isIgnored)) continue;
      yield { path, stats, isIgnored };
      if (isFolder) pending.push({ path, rules: inside, isIgnored });
    }
  }
}
