import { resolve } from 'node:path';
import type { GenerateContext } from '../api/response-provider.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { statIfThere } from '../base/fs/stats.js';
import { invalidConfig, showValue } from '../config/config-problem.js';
import type { ResolvedConfig } from '../config/resolve-config.js';

/** Returns the absolute path of the working directory, without a look at the disk. */
export function chooseWorkingDir(
  config: Pick<ResolvedConfig, 'workingDir'>,
  context: GenerateContext,
): string {
  const projectRoot = readPath(context, 'projectRoot', 'project_root');
  return resolve(config.workingDir ?? projectRoot ?? process.cwd());
}

/**
 * Returns `workingDir`, else the project root of the call, else the current directory. Throws if the directory is
 * missing, because the spawn would fail with an ENOENT that blames the executable.
 */
export function resolveWorkingDir(config: ResolvedConfig, context: GenerateContext): string {
  const path = chooseWorkingDir(config, context);
  const stats = statIfThere(path);
  if (stats?.isDirectory()) return path;
  const problem = stats === undefined ? 'does not exist' : 'is not a directory';
  if (config.workingDir !== undefined)
    throw invalidConfig([{ key: 'workingDir', value: path, problem }]);
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The project root ${path} ${problem}`,
    hint: 'Correct context.projectRoot, or set workingDir.',
  });
}

/** Returns a path from the context, under its camelCase or its snake_case name. */
export function readPath(
  context: GenerateContext,
  camel: string,
  snake: string,
): string | undefined {
  const value = context[camel] ?? context[snake];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `context.${camel} must be a path, not ${showValue(value)}`,
    hint: `Correct context.${camel}.`,
  });
}
