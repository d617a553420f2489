/**
 * Builds the package: `npm run build`. With `--if-stale` a fresh build is kept. Builds that are asked for at the same time
 * run one after another, because a build begins with the removal of `dist`.
 */
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build/build-package.mjs';
import { fingerprintSources, isFresh, writeStamp } from './build/build-stamp.mjs';
import { withLock } from './with-lock.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const lock = `${root}node_modules/.cache/gemini-cli-provider/build.lock`;
const mayKeep = process.argv.includes('--if-stale');

await withLock(lock, async () => {
  if (mayKeep && isFresh(root)) return;
  // The fingerprint is taken before the build: a source that is edited during the build makes it stale.
  const fingerprint = fingerprintSources(root);
  await buildPackage(root);
  writeStamp(root, fingerprint);
});
