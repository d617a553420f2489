import { delimiter, dirname, join, resolve } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import type { Environment } from '../../base/process/environment.js';

/** Lists `node_modules/.bin` of the project and of every folder above it, in the order of npm. */
export function projectInstallPaths(workingDir: string): string[] {
  const paths: string[] = [];
  for (let folder = resolve(workingDir); ; folder = dirname(folder)) {
    paths.push(join(folder, 'node_modules', '.bin'));
    if (dirname(folder) === folder) return paths;
  }
}

export function pathInstallPaths(env: Environment): string[] {
  const path = env['PATH'] ?? env['Path'] ?? '';
  return path.split(delimiter).filter((folder) => folder !== '');
}

/** Folders of version managers and global installs; `*` stands for one folder of any name. */
const USUAL_FOLDERS_AT_HOME = [
  '.local/share/mise/installs/npm-google-gemini-cli/*/bin',
  '.local/share/mise/installs/node/*/bin',
  '.local/share/mise/shims',
  '.npm-global/bin',
  '.npm-packages/bin',
  '.local/bin',
  '.nvm/versions/node/*/bin',
  '.local/share/fnm/node-versions/*/installation/bin',
  '.volta/bin',
  '.asdf/shims',
  '.bun/bin',
  '.local/share/pnpm',
  'Library/pnpm',
  'AppData/Roaming/npm',
];
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];

export function usualInstallPaths(env: Environment): string[] {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const atHome = home === undefined ? [] : USUAL_FOLDERS_AT_HOME.flatMap((p) => expand(home, p));
  return [...atHome, ...USUAL_FOLDERS];
}

/** Replaces `*` by the folders that exist, the newest version first. */
function expand(home: string, pattern: string): string[] {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return [join(home, pattern)];
  const newestFirst = readFolder(join(home, before)).sort((a, b) =>
    b.name.localeCompare(a.name, undefined, { numeric: true }),
  );
  return newestFirst.map(({ name }) => join(home, before, name, after));
}
