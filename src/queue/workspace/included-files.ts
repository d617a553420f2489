import { relative, resolve } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { createGlob, isBoundedGlob } from '../../base/fs/glob.js';
import { listFiles } from '../../base/fs/list-files.js';
import { isInside, toSlashes } from '../../base/fs/paths.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { type BytePath, toBytePath } from '../../batch/isolation/byte-path.js';
import { isGitName } from './tree-check.js';

const WILDCARD = /[*?[\]{}!()+@]/;

/**
 * Finds the ignored files that travel anyway: paths and globs, relative to the working directory. A folder stands for all
 * files in it. Returns paths from the top of the tree.
 */
export async function findIncluded(
  root: string,
  dir: string,
  include: readonly string[],
  signal?: AbortSignal,
): Promise<BytePath[]> {
  const found = new Set<string>();
  for (const pattern of include) {
    const glob = toSlashes(pattern).replace(/^(?:\.\/)+/, '');
    const names = glob.split('/');
    const fixed = names.findIndex((name) => WILDCARD.test(name));
    const start = resolve(dir, ...(fixed < 0 ? names : names.slice(0, fixed)));
    if (!isInside(root, start)) throw outside(pattern, root);
    if (!isBoundedGlob(glob)) throw tooSlow(pattern);
    const stats = lstatIfThere(start);
    if (stats === undefined) continue;
    if (!stats.isDirectory()) {
      found.add(start);
      continue;
    }
    const matches = fixed < 0 ? () => true : createGlob(glob);
    for (const file of await listFiles(start, [], { rulesFrom: start, signal })) {
      if (matches(toSlashes(relative(dir, file)))) found.add(file);
    }
  }
  return [...found]
    .map((file) => toBytePath(relative(root, file)))
    .filter((path) => !path.split('/').some(isGitName))
    .sort();
}

function outside(pattern: string, root: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The option \`include\` names ${JSON.stringify(pattern)}, which is outside of ${root}`,
    hint: 'Only files of the workspace can travel: copy the file into the workspace, or remove it from `include`.',
  });
}

function tooSlow(pattern: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The option \`include\` has the glob ${JSON.stringify(pattern)}, which has too many wildcards`,
    hint: 'Use at most three wildcards in a name, and no groups.',
  });
}
