import { dirname } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import type { IsolatedWorkspace } from '../isolation/isolated-workspace.js';

/** Deeper values are passed on as they are: a foreign provider may hand out objects that contain themselves. */
const DEEPEST = 32;

type Mapped = Pick<IsolatedWorkspace, 'kind' | 'dir' | 'toOriginal'>;

/**
 * Creates a function that replaces the folders of an isolated workspace by those of the original, in all texts of an
 * event or a result: the workspace is gone when the events are read. `raw` stays as it came over the wire.
 */
export function createOriginalPaths(workspace: Mapped): <T extends object>(data: T) => T {
  const folders = workspace.kind === 'shared' ? [] : listFolders(workspace);
  if (folders.length === 0) return (data) => data;
  const originals = new Map(folders);
  const names = folders.map(([isolated]) => isolated.replace(/[^\w/]/g, '\\$&'));
  // A longer name that begins with the name of the folder is another folder.
  const pattern = new RegExp(`(?:${names.join('|')})(?![\\w-]|\\.\\w)`, 'g');
  const mapText = (text: string): string =>
    text.replace(pattern, (isolated) => originals.get(isolated) ?? isolated);
  const map = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return mapText(value);
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
    if (Array.isArray(value)) return value.map((item) => map(item, depth + 1));
    const entries = Object.entries(value).map(([key, item]) => {
      return [key, key === 'raw' ? item : map(item, depth + 1)];
    });
    return Object.fromEntries(entries);
  };
  return (data) => Object.assign({ ...data }, map(data, 0));
}

/**
 * Lists the working directory and the folders above it that belong to the workspace, with their originals. Agents report
 * real paths, so each folder is listed by both names if the temporary directory is a link.
 */
function listFolders({ dir, toOriginal }: Mapped): [string, string][] {
  const folders: [string, string][] = [];
  for (let folder = dir; toOriginal(folder) !== folder; folder = dirname(folder)) {
    folders.push([folder, toOriginal(folder)], [realpathOf(folder), toOriginal(folder)]);
  }
  return folders.sort(([a], [b]) => b.length - a.length);
}
