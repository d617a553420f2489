import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ENTRIES = ['index', 'batch/index', 'sessions/index', 'testing/index'];
const IMPORT = /(?:from |import\()'(\.[^']+)\.js'/g;

/**
 * Copies the declarations that the entries need, and no others, from .build into dist/types.
 * @param {string} root
 */
export function copyDeclarations(root) {
  const source = `${root}.build`;
  const files = new Set(ENTRIES.map((entry) => join(source, `${entry}.d.ts`)));
  // The loop reaches files that are added while it runs.
  for (const file of files) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      files.add(join(dirname(file), `${path}.d.ts`));
    const target = join(root, 'dist/types', relative(source, file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}
