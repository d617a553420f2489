/**
 * npm runs this before (`begin`) and after (`end`) every `npm run build`. The fingerprint is taken before the build: a
 * source that is edited during the build makes the next check build again. A failed build leaves no stamp.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprintSources, removeStamp, writeStamp } from './fresh-build.mjs';

const pending = fileURLToPath(
  new URL('../node_modules/.cache/gemini-cli-provider/build-sources', import.meta.url),
);

if (process.argv[2] === 'begin') {
  removeStamp();
  mkdirSync(dirname(pending), { recursive: true });
  writeFileSync(pending, fingerprintSources());
} else {
  writeStamp(readFileSync(pending, 'utf8'));
  rmSync(pending, { force: true });
}
