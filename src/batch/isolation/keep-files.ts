import { copyFileSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePath } from './byte-path.js';
import { readStats } from './file-identity.js';
import type { StepChange } from './step-changes.js';

/** Keeps changes without a patch: copies the changed files to a folder and lists the removed ones in `removed.txt`. */
export function keepFiles(changes: readonly StepChange[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const removed: string[] = [];
  for (const { path, source } of changes) {
    const text = describePath(path);
    const target = join(folder, 'files', text);
    if (source === undefined) removed.push(text);
    else mkdirSync(join(target, '..'), { recursive: true });
    if (source === undefined) continue;
    if (readStats(source)?.isSymbolicLink()) symlinkSync(readlinkSync(source, 'buffer'), target);
    else copyFileSync(source, target);
  }
  writeFileSync(join(folder, 'removed.txt'), removed.map((path) => `${path}\n`).join(''));
}
