/** Characters that join, substitute or redirect. A rule for a program never allows a command that has one of them. */
const COMPOUND = /[;&|<>`$()\n\r\\]/;

const toSet = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((line) => line.split(' ')));

/** Programs that read, or check and test the workspace, whatever their arguments are. */
const PROGRAMS = toSet(
  'basename cat cut date df diff dirname du echo file grep head id ls md5sum mkdir nl printf pwd readlink realpath seq',
  'sha1sum sha256sum stat tail touch tr true type uname uniq wc which',
  'biome black eslint flake8 jest mocha mypy prettier pylint pytest ruff tsc vitest',
);

/** Subcommands of programs that do the same. A rule for `git` alone would allow too much. */
const SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    cargo: 'bench build check clippy doc fmt test',
    git: 'add branch commit diff log ls-files rev-parse show stash status',
    go: 'build fmt test vet',
    make: 'all build check clean lint test',
    npm: 'ls outdated test view',
    pnpm: 'list outdated test',
    yarn: 'list outdated test',
  }).map(([program, names]) => [program, toSet(names)]),
);

/** Programs that run a script of the workspace by its name. */
const SCRIPT_RUNNERS = toSet('bun npm pnpm yarn');
const SCRIPT_NAME = /^[\w:-]+$/;

/**
 * Returns the first words of a command that a rule may allow with any further words. Undefined for a command whose program may
 * run any other one: a rule then allows this command alone, word for word.
 */
export function findCommandScope(command: string): string | undefined {
  if (COMPOUND.test(command)) return undefined;
  const [program = '', subcommand = '', script = ''] = command.trim().split(/\s+/);
  if (PROGRAMS.has(program)) return program;
  if (SUBCOMMANDS.get(program)?.has(subcommand) === true) return `${program} ${subcommand}`;
  const isScript = SCRIPT_RUNNERS.has(program) && subcommand === 'run' && SCRIPT_NAME.test(script);
  return isScript ? `${program} run ${script}` : undefined;
}

/** True if a command begins with the words of a scope, and does nothing else. */
export function isInScope(command: string, scope: string): boolean {
  return !COMPOUND.test(command) && (command === scope || command.startsWith(`${scope} `));
}
