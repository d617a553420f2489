import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(
  new URL('../node_modules/.cache/gemini-cli-provider/redis', import.meta.url),
);
/** Packages that every Debian with apt has, or that redis-server does not load. */
const PRESENT = new Set(['adduser', 'libc6', 'libsystemd0']);
/** The command that brings the server where the packages cannot be downloaded. */
export const REDIS_INSTALL = 'apt-get install redis-server';

/**
 * Returns how redis-server is started: the one on PATH, or one from the packages of Debian, which are unpacked into
 * node_modules/.cache when they are first asked for. apt keeps its lists and its cache in a private folder, so that neither root
 * nor lists on the machine are needed.
 *
 * @returns {{ command: string, env: Record<string, string> }}
 */
export function findRedis() {
  if (isRunnable('redis-server', {})) return { command: 'redis-server', env: {} };
  const folder = join(CACHE, 'usr');
  const command = join(folder, 'bin', 'redis-server');
  if (!existsSync(command)) unpackRedis();
  const libraries = readdirSync(join(folder, 'lib')).map((name) => join(folder, 'lib', name));
  const env = { LD_LIBRARY_PATH: libraries.join(':') };
  if (isRunnable(command, env)) return { command, env };
  throw new Error(`${command} does not run. Remove ${CACHE} and try again, or: ${REDIS_INSTALL}`);
}

function unpackRedis() {
  mkdirSync(join(CACHE, '..'), { recursive: true });
  const folder = mkdtempSync(`${CACHE}-`);
  try {
    const apt = join(folder, 'apt');
    for (const part of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(apt, part), { recursive: true });
    const settings = {
      'Dir::State::lists': join(apt, 'lists'),
      'Dir::Cache': join(apt, 'cache'),
      // The user that apt changes to when root calls it may not enter this folder.
      'APT::Sandbox::User': 'root',
    };
    const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
    call('apt-get', [...options, 'update', '-qq'], folder);
    const depends = call('apt-cache', [...options, 'depends', 'redis-tools'], folder);
    const needed = [...depends.matchAll(/^\s*Depends: ([\w.+-]+)$/gm)].map(([, name = '']) => name);
    const packages = needed.filter((name) => !PRESENT.has(name));
    call('apt-get', [...options, 'download', 'redis-server', 'redis-tools', ...packages], folder);
    for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.deb')))
      call('dpkg', ['-x', join(folder, name), folder], folder);
    rmSync(apt, { recursive: true, force: true });
    if (!existsSync(CACHE)) renameSync(folder, CACHE);
  } catch (error) {
    // Another process may have been faster: its folder is as good.
    if (!existsSync(CACHE)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
function call(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  const words = args.filter((word) => !word.includes('::') && word !== '-o').join(' ');
  const reason = (error?.message ?? stderr).trim();
  throw new Error(`${command} ${words} failed: ${reason}\nTo bring Redis: ${REDIS_INSTALL}`);
}

/** @param {string} command @param {Record<string, string>} env */
function isRunnable(command, env) {
  return spawnSync(command, ['--version'], { env: { ...process.env, ...env } }).status === 0;
}
