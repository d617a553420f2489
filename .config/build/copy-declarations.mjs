import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TYPES = './dist/types/';
const IMPORT = /(?:from |import\()'(\.[^']+)\.js'/g;

/**
 * Copies the declarations that the entries of package.json need, and no others, from .build into dist/types.
 * @param {string} root
 */
export function copyDeclarations(root) {
  const source = `${root}.build`;
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {string[]} */
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  const files = new Set(entries.map((entry) => join(source, relative(TYPES, entry))));
  // The loop reaches files that are added while it runs.
  for (const file of files) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      files.add(join(dirname(file), `${path}.d.ts`));
    const target = join(root, TYPES, relative(source, file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}
