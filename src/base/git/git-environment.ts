import type { Environment } from '../process/environment.js';

/**
 * What a person may set for git as such. All other `GIT_*` variables speak of one repository, one index or one
 * command (a hook that has started us sets half a dozen), and would lead every call of ours to the wrong place.
 */
const KEPT =
  /^GIT_(?:EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|LFS_\w+|SSL_\w+|HTTP_\w+|PROXY_\w+)$/;

/** For the commits that hold a state of the workspace: they need an author, and the person may have set none. */
const AUTHOR = { NAME: 'gemini-cli-provider', EMAIL: 'gemini-cli-provider@localhost' };

/** The environment in which git finds the repository we mean, speaks English and asks nobody. */
export function buildGitEnvironment(parent: Environment): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (!name.startsWith('GIT_') || KEPT.test(name))) child[name] = value;
  }
  return {
    ...child,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: AUTHOR.NAME,
    GIT_AUTHOR_EMAIL: AUTHOR.EMAIL,
    GIT_COMMITTER_NAME: AUTHOR.NAME,
    GIT_COMMITTER_EMAIL: AUTHOR.EMAIL,
  };
}
