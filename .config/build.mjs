/**
 * Builds the package. tsc checks the source and emits unbundled modules and declarations into .build, for tests and
 * benchmarks that reach inside. rolldown bundles the published files into dist, because loading hundreds of modules
 * costs a user several times as much as running them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePackage } from './build/bundle-package.mjs';
import { bundlePage } from './build/bundle-page.mjs';
import { copyDeclarations } from './build/copy-declarations.mjs';
import { writeLicenses } from './build/write-licenses.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

async function compile() {
  const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const args = [tsc, '-p', '.config/tsconfig.build.json'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(1);
}

rmSync(`${root}dist`, { recursive: true, force: true });
const [packages] = await Promise.all([bundlePackage(root), bundlePage(root), compile()]);
copyDeclarations(root);
writeLicenses(root, packages);
