import { join } from 'node:path';
import { openCacheFolder } from '../../base/fs/cache-folder.js';
import { digestJson } from '../../base/json/digest-json.js';
import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { CheckedCli } from './check-cli.js';
import { runsOnThisNode } from './find-cli.js';

const VARIABLE = 'NODE_COMPILE_CACHE';
/** First version of Node that reads the variable. */
const OLDEST_NODE = [22, 1] as const;
/**
 * Deletes the variable after Node has read it. Programs that the CLI starts must not inherit the variable: they would
 * fill the folder with their own code, and cached code makes coverage less precise.
 */
const HIDE_VARIABLE = ['--import', `data:text/javascript,delete process.env.${VARIABLE}`];
const FOLDER = 'compile-cache';
const HASH_LENGTH = 12;

interface Launchable {
  readonly config: Pick<ResolvedConfig, 'compileCache'>;
  readonly cli: CheckedCli;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Lets Node cache the compiled code of the CLI in a private folder: compiling takes a third of a start. Creates
 * the folder, so it is called only for a process that is to be started. Returns the step unchanged if the caller has
 * switched the cache off or has chosen a folder, if another program than this Node runs the CLI, or if no private folder
 * can be created.
 */
export function withCompileCache<Step extends Launchable>(
  step: Step,
  environment: Environment,
  nodeVersion = process.versions.node,
): Step {
  if (!step.config.compileCache) return step;
  const { location, version } = step.cli;
  if (!runsOnThisNode(location)) return step;
  if (!readsVariable(nodeVersion) || step.env[VARIABLE] !== undefined) return step;
  // Each pair of CLI and Node versions has its own folder, so folders of removed versions can be deleted.
  const hash = digestJson([location.script, version]);
  const name = `node-${nodeVersion}-cli-${hash.slice(0, HASH_LENGTH)}`;
  const folder = openCacheFolder(join(FOLDER, name), environment);
  if (folder === undefined) return step;
  return {
    ...step,
    env: { ...step.env, [VARIABLE]: folder },
    cli: {
      ...step.cli,
      location: { ...location, args: [...HIDE_VARIABLE, ...location.args] },
    },
  };
}

function readsVariable(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
