import { readFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { isOwnIgnoreFile } from '../run/output-folder.js';
import type { CleanReport, KeptItem, RemovedItem } from './clean-report.js';
import { measurePath } from './measure-path.js';

const OLD_STEPS = /^steps-\d{13}$/;
const OLD_LEDGER = /^ledger-\d{13}\.jsonl$/;
const REPORT = /^(?:manifest\.json|report\.json|report\.html)$/;
const UNFINISHED = /^(?:manifest\.json|report\.json|report\.html)\.[0-9a-f]{12}\.new$/;
const STEP_FILE = /^(?:events\.jsonl|(?:result\.json|diff\.patch)(?:\.[0-9a-f]{12}\.new)?)$/;
const PATCH = /\.patch$/;

/** A file or folder of an output folder, with everything in it that a batch has written. */
interface OutputItem {
  readonly path: string;
  readonly what: string;
  readonly files: readonly string[];
  /** Folders that are removed if nothing is left in them, deepest first. */
  readonly folders: readonly string[];
}

/**
 * Removes what earlier runs have left in an output folder, with `all` also results, patches and reports. Names, types and
 * contents are checked: a link, or a file that a batch does not write, is left.
 */
export async function cleanOutput(
  out: string,
  { all, dryRun }: { readonly all: boolean; readonly dryRun: boolean },
): Promise<CleanReport> {
  const removed: RemovedItem[] = [];
  const kept: KeptItem[] = [];
  for (const item of listItems(out, all)) {
    if (item.files.length + item.folders.length === 0) {
      kept.push({ path: item.path, reason: 'is a link, or no file of a batch' });
      continue;
    }
    const bytes = item.files.reduce((sum, file) => sum + measurePath(file), 0);
    if (dryRun || (await removeItem(item))) {
      removed.push({ path: item.path, what: item.what, bytes });
    } else {
      kept.push({ path: item.path, reason: 'has files that no batch has written' });
    }
  }
  return { removed, kept, notes: [] };
}

function listItems(out: string, all: boolean): OutputItem[] {
  return readFolder(out).flatMap(({ name }) => {
    const path = join(out, name);
    if (OLD_STEPS.test(name)) return toStepsItem(path, 'steps of an earlier run');
    if (OLD_LEDGER.test(name)) return toFileItem(path, 'old ledger');
    if (UNFINISHED.test(name)) return toFileItem(path, 'report that was never finished');
    if (!all) return [];
    if (name === 'steps') return toStepsItem(path, 'results and events of the steps');
    if (name === 'kept') return toKeptItem(path);
    if (REPORT.test(name)) return toFileItem(path, 'report');
    return name === '.gitignore' && isOwnFile(path) ? toFileItem(path, 'ignore rules') : [];
  });
}

function isOwnFile(path: string): boolean {
  return lstatIfThere(path)?.isFile() === true && isOwnIgnoreFile(readFileSync(path, 'utf8'));
}

function toFileItem(path: string, what: string): OutputItem {
  return { path, what, files: lstatIfThere(path)?.isFile() ? [path] : [], folders: [] };
}

/** Collects the files of step folders: `NAME/events.jsonl` and its like, and nothing else. */
function toStepsItem(path: string, what: string): OutputItem {
  if (!lstatIfThere(path)?.isDirectory()) return { path, what, files: [], folders: [] };
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of readFolder(path)) {
    if (!entry.isDirectory()) continue;
    const folder = join(path, entry.name);
    folders.push(folder);
    for (const file of readFolder(folder)) {
      if (file.isFile() && STEP_FILE.test(file.name)) files.push(join(folder, file.name));
    }
  }
  return { path, what, files, folders: [...folders, path] };
}

/** Collects kept patches. A patch that could not be made is a folder with the changed files. */
function toKeptItem(path: string): OutputItem {
  const what = 'patches that were not merged';
  if (!lstatIfThere(path)?.isDirectory()) return { path, what, files: [], folders: [] };
  const own = readFolder(path).filter((entry) => {
    return PATCH.test(entry.name) && (entry.isFile() || entry.isDirectory());
  });
  return { path, what, files: own.map(({ name }) => join(path, name)), folders: [path] };
}

/** Removes an item. Returns false if something is left. */
async function removeItem({ path, files, folders }: OutputItem): Promise<boolean> {
  for (const file of files) await rm(file, { recursive: true, force: true });
  for (const folder of folders) await rmdir(folder).catch(() => {});
  return lstatIfThere(path) === undefined;
}
