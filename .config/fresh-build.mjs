/**
 * Builds `dist` when its sources have changed. `npm run build` leaves a fingerprint of the sources in `dist` (see
 * stamp-build.mjs), which is compared here with the fingerprint of the present sources.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './with-lock.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(root, 'dist');
/** npm never packs a file whose name begins with `._`. */
const STAMP = join(DIST, '._sources');
/** Modules for tests that reach inside the package; `npm run build` writes them, too. */
const UNBUNDLED = join(root, '.build');
const LOCK = join(root, 'node_modules/.cache/gemini-cli-provider/build.lock');

/** Files and folders that `npm run build` reads. */
const SOURCES = ['src', '.config', 'tsconfig.json', 'package.json', 'package-lock.json'];

/** Runs `npm run build` unless `dist` is fresh. Processes that ask at the same time wait for one build. */
export async function ensureFreshBuild() {
  if (isFresh()) return;
  await withLock(LOCK, async () => {
    if (!isFresh()) await build();
  });
}

/** Fingerprint of the content of all sources; documentation is not built. */
export function fingerprintSources() {
  const hash = createHash('sha1');
  for (const path of SOURCES.flatMap(filesBelow)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} fingerprint */
export function writeStamp(fingerprint) {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(STAMP, fingerprint);
}

export function removeStamp() {
  rmSync(STAMP, { force: true });
}

function isFresh() {
  try {
    return existsSync(UNBUNDLED) && readFileSync(STAMP, 'utf8') === fingerprintSources();
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (path.includes('.', 1)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}

async function build() {
  const child = spawn('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`npm run build failed with exit code ${code}`);
}
