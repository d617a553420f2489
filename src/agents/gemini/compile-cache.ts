import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openCacheFolder } from '../../base/fs/cache-folder.js';
import type { Environment } from '../../base/process/environment.js';
import type { CheckedCli } from './check-cli.js';

const VARIABLE = 'NODE_COMPILE_CACHE';
/** The first version of Node that reads the variable. */
const OLDEST_NODE = [22, 1] as const;
/**
 * Node reads the variable before this line runs. Programs that the CLI starts must not inherit it: they would fill the
 * folder with code of their own, and code from a cache makes their coverage less precise.
 */
const HIDE_VARIABLE = ['--import', `data:text/javascript,delete process.env.${VARIABLE}`];
const FOLDER = 'compile-cache';
const HASH_LENGTH = 12;

interface Launchable {
  readonly cli: CheckedCli;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Lets Node keep the compiled code of the CLI in a folder of its own: compiling is a third of a start. The step stays as
 * it is where another program than our Node runs the CLI, where the caller has chosen a folder, or where there can be
 * no private one.
 */
export function withCompileCache<Step extends Launchable>(
  step: Step,
  environment: Environment,
  nodeVersion = process.versions.node,
): Step {
  const { location, version } = step.cli;
  const { script, command } = location;
  if (script === undefined || command !== process.execPath) return step;
  if (!readsVariable(nodeVersion) || step.env[VARIABLE] !== undefined) return step;
  // One folder for each CLI and Node, so that those of removed versions can be removed.
  const hash = createHash('sha256')
    .update(JSON.stringify([script, version]))
    .digest('hex');
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
