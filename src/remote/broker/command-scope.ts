/** Characters that join, substitute, expand or redirect. A rule for a program never allows a command that has one of them. */
const COMPOUND = /[;&|<>`$(){}\n\r\\]/;

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Programs that read and write nothing, whatever their options are. */
const READERS = toSet(
  'basename cat cut df diff dirname du echo grep head id ls md5sum nl printf pwd readlink realpath seq sha1sum sha256sum stat tail tr true type uname wc which',
);

/** Programs that check or test the workspace. Their options may run and write anything, so a rule allows no options. */
const CHECKERS = toSet(
  'biome black eslint flake8 jest mocha mypy prettier pylint pytest ruff tsc vitest',
);

/** Subcommands of programs that do the same, or tell something. A rule for `git` alone would allow too much. */
const SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    cargo: 'bench build check clippy doc fmt test',
    git: 'add diff log ls-files rev-parse show status',
    go: 'build fmt test vet',
    npm: 'ls test',
    pnpm: 'list test',
    yarn: 'list test',
  }).map(([program, names]) => [program, toSet(names)]),
);

/** Programs that run a script of the workspace by its name. */
const SCRIPT_RUNNERS = toSet('bun npm pnpm yarn');
const SCRIPT_NAME = /^\w[\w:-]*$/;
/** A word that may name something outside of the working directory: an absolute path, a home, a parent, a pattern for one. */
const OUTSIDE = /(?:^|[=:,])[~/]|(?:^|[/=:,])\.\.(?:\/|$)|(?:^|\/)\.[?*[]|^-\w.*[/~]/;
/** A word that a program takes as an option or a variable. */
const OPTION = /^-(?!-$)|=/;

/** First words of a command, and which further words are harmless after them. */
interface CommandScope {
  readonly prefix: string;
  readonly hasOptions: boolean;
}

/**
 * Returns the first words of a command that a rule may allow with further words: names inside of the working directory, and options
 * of programs that only read. Undefined for any other command: a rule then allows this command alone, word for word.
 */
export function findCommandScope(command: string): string | undefined {
  const scope = readScope(command);
  return scope !== undefined && isInScope(command, scope.prefix) ? scope.prefix : undefined;
}

/** True if a command begins with the words of a scope, and its further words are harmless. */
export function isInScope(command: string, prefix: string): boolean {
  const scope = readScope(command);
  if (scope?.prefix !== prefix) return false;
  const rest = wordsOf(command).slice(prefix.split(' ').length);
  return rest.every((word) => !OUTSIDE.test(word) && (scope.hasOptions || !OPTION.test(word)));
}

function readScope(command: string): CommandScope | undefined {
  if (COMPOUND.test(command)) return undefined;
  const [program = '', subcommand = '', script = ''] = wordsOf(command);
  if (READERS.has(program)) return { prefix: program, hasOptions: true };
  if (CHECKERS.has(program)) return { prefix: program, hasOptions: false };
  if (SUBCOMMANDS.get(program)?.has(subcommand) === true)
    return { prefix: `${program} ${subcommand}`, hasOptions: false };
  const isScript = SCRIPT_RUNNERS.has(program) && subcommand === 'run' && SCRIPT_NAME.test(script);
  return isScript ? { prefix: `${program} run ${script}`, hasOptions: false } : undefined;
}

/** Returns the words as the program gets them, or more: a text in quotes counts as several words. */
function wordsOf(command: string): string[] {
  return command.replace(/["']|^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/);
}
