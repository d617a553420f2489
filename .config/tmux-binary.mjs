import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(
  new URL('../node_modules/.cache/gemini-cli-provider/tmux', import.meta.url),
);
/** Packages of tmux that every Debian has. */
const PRESENT = new Set(['libc6', 'libtinfo6']);

/**
 * Returns how tmux is started: the one on PATH, or one from the packages of Debian, which are unpacked into node_modules/.cache
 * when they are first asked for. That needs no root, but the package lists of apt.
 *
 * @returns {{ command: string, env: Record<string, string> }}
 */
export function findTmux() {
  if (isRunnable('tmux', {})) return { command: 'tmux', env: {} };
  const folder = join(CACHE, 'usr');
  if (!existsSync(join(folder, 'bin', 'tmux'))) unpackTmux();
  const libraries = readdirSync(join(folder, 'lib')).map((name) => join(folder, 'lib', name));
  const env = { LD_LIBRARY_PATH: libraries.join(':') };
  const command = join(folder, 'bin', 'tmux');
  if (isRunnable(command, env)) return { command, env };
  throw new Error(`${command} does not run. Remove ${CACHE} and try again, or install tmux.`);
}

function unpackTmux() {
  mkdirSync(join(CACHE, '..'), { recursive: true });
  const folder = mkdtempSync(`${CACHE}-`);
  const depends = call('apt-cache', ['depends', 'tmux'], folder);
  const needed = [...depends.matchAll(/^\s*Depends: ([\w.+-]+)$/gm)].map(([, name = '']) => name);
  const packages = ['tmux', ...needed.filter((name) => !PRESENT.has(name))];
  call('apt-get', ['download', ...packages], folder);
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.deb')))
    call('dpkg', ['-x', join(folder, name), folder], folder);
  rmSync(CACHE, { recursive: true, force: true });
  renameSync(folder, CACHE);
}

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
function call(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}. Install tmux.`);
}

/** @param {string} command @param {Record<string, string>} env */
function isRunnable(command, env) {
  return spawnSync(command, ['-V'], { env: { ...process.env, ...env } }).status === 0;
}
