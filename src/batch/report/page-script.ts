import { readFileSync } from 'node:fs';

/** Found from `src/` and from `.build/`; the build rewrites the path for `dist/`. A browser runs only the bundle. */
const BUNDLE = new URL('../../../dist/report-page.js', import.meta.url);

let script: string | undefined;

/** The script of the page, made by `npm run build`. */
export function readPageScript(): string {
  script ??= readFileSync(BUNDLE, 'utf8').trim();
  return script;
}
