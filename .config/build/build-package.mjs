import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { bundlePackage } from './bundle-package.mjs';
import { bundlePage, bundleRemotePage } from './bundle-page.mjs';
import { copyDeclarations } from './copy-declarations.mjs';
import { dropStaleModules } from './drop-stale-modules.mjs';
import { writeLicenses } from './write-licenses.mjs';
import { writeSchemas } from './write-schemas.mjs';

/**
 * Builds the package. tsc checks the source and emits unbundled modules and declarations into .build, for tests and
 * benchmarks that reach inside. rolldown bundles the published files into dist, because loading hundreds of modules
 * costs a user several times as much as running them.
 * @param {string} root
 */
export async function buildPackage(root) {
  rmSync(`${root}dist`, { recursive: true, force: true });
  const bundling = bundlePackage(root);
  // The parts of a failed build run to their end, so that none writes into dist while the next build runs.
  const parts = await Promise.allSettled([
    bundling,
    bundlePage(root),
    bundleRemotePage(root),
    compile(root),
  ]);
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
  dropStaleModules(root);
  copyDeclarations(root);
  await writeSchemas(root);
  writeLicenses(root, await bundling);
}

/** @param {string} root */
async function compile(root) {
  const args = [`${root}node_modules/typescript/bin/tsc`, '-p', '.config/tsconfig.build.json'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0)
    throw new Error(`tsc -p .config/tsconfig.build.json failed with exit code ${code}`);
}
