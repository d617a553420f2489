import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Installs packages into a folder of their own, unless they are there, and puts the built package beside them, as in the project
 * of a user.
 * @param {string} folder
 * @param {readonly string[]} packages
 */
export function installBeside(folder, packages) {
  const wanted = JSON.stringify(packages);
  const stamp = join(folder, 'installed.json');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.log(`Installing ${packages.join(' ')}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const own = Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr, error } = spawnSync('npm', ['install', ...flags, ...packages, ...own], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0)
      throw new Error(`npm could not install ${packages[0]}: ${error?.message ?? stderr}`);
    writeFileSync(stamp, wanted);
  }
  const installed = join(folder, 'node_modules/gemini-cli-provider');
  for (const name of ['package.json', 'dist'])
    cpSync(join(root, name), join(installed, name), { recursive: true });
}
