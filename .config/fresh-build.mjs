import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isFresh } from './build/build-stamp.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Builds the package unless `dist` is fresh. Processes that ask at the same time wait for one build. */
export async function ensureFreshBuild() {
  if (isFresh(root)) return;
  const child = spawn(process.execPath, ['.config/build.mjs', '--if-stale'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`node .config/build.mjs failed with exit code ${code}`);
}
