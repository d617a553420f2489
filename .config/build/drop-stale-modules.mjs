import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const MODULE = /(?:\.d\.ts|\.js)$/;

/**
 * Removes modules from .build whose source is gone. tsc leaves them there, and an import of them would still work. The
 * other modules stay, so that tsc compiles changed sources alone.
 * @param {string} root
 */
export function dropStaleModules(root) {
  const folder = join(root, '.build');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !MODULE.test(file)) continue;
    const source = join(root, 'src', relative(folder, file).replace(MODULE, '.ts'));
    if (!existsSync(source)) rmSync(file, { force: true });
  }
}
