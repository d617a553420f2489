import { readFileSync } from 'node:fs';

/** Bundle of the page. The path holds from `src/` and from `.build/`; the build rewrites it for `dist/`. */
const BUNDLE = new URL('../../../dist/report-page.js', import.meta.url);

let script: string | undefined;

/** Returns the script of the page, which `npm run build` bundles. */
export function readPageScript(): string {
  script ??= readFileSync(BUNDLE, 'utf8').trim();
  return script;
}
