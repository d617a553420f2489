import { isAbsolute, resolve } from 'node:path';
import { invalidInput } from '../../base/errors/invalid-input.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { statIfThere } from '../../base/fs/stats.js';

/** Folders below which agents may work. Paths are compared without links and name by name. */
export class WorkspaceRoots {
  /** Canonical paths. The first one is the folder of calls that name none. */
  readonly folders: readonly string[];

  /** Throws INVALID_CONFIG for a root that is no folder. */
  constructor(roots: readonly string[]) {
    for (const root of roots) {
      if (statIfThere(root)?.isDirectory()) continue;
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: `The root ${root} is not a folder`,
        hint: 'Give --root a folder that exists.',
      });
    }
    this.folders = [...new Set(roots.map((root) => realpathOf(resolve(root))))];
  }

  /** True for a path in a root. Links are followed as far as the path exists. */
  contains(path: string): boolean {
    return this.folders.some((root) => isInside(root, path));
  }

  /** Returns the canonical path of a working directory. Throws INVALID_INPUT for a folder outside of the roots. */
  resolveFolder(given: string | undefined, name = 'cwd'): string {
    const folder = this.resolvePath(given ?? '.', name);
    if (statIfThere(folder)?.isDirectory()) return folder;
    throw invalidInput(name, 'a folder that exists', given);
  }

  /** Returns the canonical path. Relative paths start at `base`, or at the first root. Throws INVALID_INPUT for others. */
  resolvePath(given: string, name: string, base = this.folders[0] ?? '/'): string {
    if (given.includes('\0')) throw invalidInput(name, 'a path without a NUL character', given);
    const path = realpathOf(isAbsolute(given) ? resolve(given) : resolve(base, given));
    if (this.contains(path)) return path;
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `\`${name}\` leads out of the folders that this server may work in: ${given}`,
      hint: `Use a path below ${this.folders.join(' or ')}, or start the server with --root for another folder.`,
    });
  }
}
