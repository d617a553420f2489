import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/node-binary', import.meta.url));

/**
 * Returns the path of a Node binary of this major version. npm fetches the binary when it is first asked for, from the
 * platform packages behind `node@<major>`, whose own install script does the same. Later calls find it in
 * node_modules/.cache.
 * @param {number | string} major
 * @returns {Promise<string>}
 */
export async function nodeBinary(major) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const prefix = join(CACHE, String(major));
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const binary = join(prefix, 'node_modules', name, program);
  if (isRunnable(binary)) return binary;
  mkdirSync(prefix, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['install', '--prefix', prefix, '--no-save', '--no-package-lock', '--no-audit'];
  const { status, stderr, error } = spawnSync(npm, [...args, '--no-fund', `${name}@${major}`], {
    encoding: 'utf8',
    cwd: prefix,
    // The lifecycle variables of an outer `npm run` describe this project, not the cache folder.
    env: withoutNpmVariables(process.env),
    shell: process.platform === 'win32',
  });
  if (status !== 0 || !isRunnable(binary))
    throw new Error(`npm could not fetch ${name}@${major}: ${error?.message ?? stderr}`);
  return binary;
}

/** @param {string} binary */
function isRunnable(binary) {
  return existsSync(binary) && spawnSync(binary, ['--version']).status === 0;
}

/** @param {NodeJS.ProcessEnv} env */
function withoutNpmVariables(env) {
  const entries = Object.entries(env).filter(([name]) => !/^npm_(package|lifecycle)/.test(name));
  return Object.fromEntries(entries);
}
