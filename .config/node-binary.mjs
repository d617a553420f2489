import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(
  new URL('../node_modules/.cache/gemini-cli-provider/node', import.meta.url),
);

/**
 * Returns the path of a Node binary of this major version. npm fetches the binary when it is first asked for; later
 * calls find it in node_modules/.cache.
 * @param {number | string} major
 * @returns {Promise<string>}
 */
export async function nodeBinary(major) {
  const name = platformPackage();
  const prefix = join(CACHE, String(major));
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const binary = join(prefix, 'node_modules', name, 'bin', executable);
  if (isRunnable(binary)) return binary;
  mkdirSync(prefix, { recursive: true });
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const install = ['install', '--prefix', prefix, ...flags, `${name}@${major}`];
  const { status, stderr, error } = spawnSync('npm', install, {
    cwd: prefix,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0 || !isRunnable(binary))
    throw new Error(`npm could not install ${name}@${major}: ${error?.message ?? stderr}`);
  return binary;
}

/** Returns the name of the package that the install script of `node` would fetch, so that no script has to run. */
function platformPackage() {
  const { platform, arch } = process;
  if (platform === 'win32') return `node-win-${arch === 'ia32' ? 'x86' : arch}`;
  const isAppleSilicon = platform === 'darwin' && arch === 'arm64';
  return `${isAppleSilicon ? 'node-bin' : 'node'}-${platform}-${arch}`;
}

/** @param {string} binary */
function isRunnable(binary) {
  return existsSync(binary) && spawnSync(binary, ['--version']).status === 0;
}
