/**
 * A build leaves a fingerprint of its sources in `dist`. The build is fresh as long as the sources have this fingerprint.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** npm never packs a file whose name begins with `._`. */
const STAMP = 'dist/._sources';
/** Modules for tests that reach inside the package. A build writes them, too. */
const UNBUNDLED = '.build';
/** Files and folders that a build reads. */
const SOURCES = ['src', '.config', 'tsconfig.json', 'package.json', 'package-lock.json'];

/**
 * Fingerprint of the content of all sources; documentation is not built.
 * @param {string} root
 */
export function fingerprintSources(root) {
  const hash = createHash('sha1');
  for (const path of SOURCES.flatMap((source) => filesBelow(root, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} fingerprint
 */
export function writeStamp(root, fingerprint) {
  const stamp = join(root, STAMP);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** @param {string} root */
export function isFresh(root) {
  try {
    const stamp = readFileSync(join(root, STAMP), 'utf8');
    return existsSync(join(root, UNBUNDLED)) && stamp === fingerprintSources(root);
  } catch {
    return false;
  }
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(root, path) {
  if (path.includes('.', 1)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}
