import { type Environment, PRIVATE_VARIABLES } from '../process/environment.js';

/**
 * `GIT_*` variables that are general user settings. All others name one repository, one index or one command. A git
 * hook that starts this process sets half a dozen of them, and they would lead every call to the wrong repository.
 */
const KEPT =
  /^GIT_(?:EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|LFS_\w+|SSL_\w+|HTTP_\w+|PROXY_\w+)$/;

/** Author of the commits that store states of the workspace. Commits need an author, and the user may have set none. */
const AUTHOR = { NAME: 'gemini-cli-provider', EMAIL: 'gemini-cli-provider@localhost' };
const OWN_IDENTITY = {
  GIT_AUTHOR_NAME: AUTHOR.NAME,
  GIT_AUTHOR_EMAIL: AUTHOR.EMAIL,
  GIT_COMMITTER_NAME: AUTHOR.NAME,
  GIT_COMMITTER_EMAIL: AUTHOR.EMAIL,
};

const IDENTITY = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)$/;

/**
 * Builds the environment of git: no variables of another repository, English messages, no terminal prompts. Commits are
 * those of this package, or of the user, whom the user's variables and settings name.
 */
export function buildGitEnvironment(
  parent: Environment,
  author: 'package' | 'user' = 'package',
): Record<string, string> {
  const isKept = (name: string): boolean =>
    KEPT.test(name) || (author === 'user' && IDENTITY.test(name));
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (!name.startsWith('GIT_') || isKept(name))) child[name] = value;
  }
  for (const name of PRIVATE_VARIABLES) delete child[name];
  return {
    ...child,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // `refs/replace` would put other contents in the place of files: a worktree would not have the files of the user.
    GIT_NO_REPLACE_OBJECTS: '1',
    ...(author === 'user' ? {} : OWN_IDENTITY),
  };
}
