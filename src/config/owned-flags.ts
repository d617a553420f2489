/** Flags that this package sets itself, and what to do instead. */
const OWNED_FLAGS: Readonly<Record<string, string>> = {
  '-p': 'use the prompt argument',
  '--prompt': 'use the prompt argument',
  '-i': 'use the prompt argument',
  '--prompt-interactive': 'use the prompt argument',
  '-o': 'this package sets the output format',
  '--output-format': 'this package sets the output format',
  '-m': 'use `model`',
  '--model': 'use `model`',
  '-y': 'use `approvalMode: "yolo"`',
  '--yolo': 'use `approvalMode: "yolo"`',
  '--approval-mode': 'use `approvalMode`',
  '-s': 'use `sandbox`',
  '--sandbox': 'use `sandbox`',
  '--include-directories': 'use `includeDirectories`',
  '--allowed-tools': 'use `allowedTools`',
  '-r': 'use `resume`',
  '--resume': 'use `resume`',
  '--session-id': 'use `sessionId`',
  '--session-file': 'use `resume`',
  '--skip-trust': 'use `trustWorkspace`',
  '-w': 'use `workingDir`',
  '--worktree': 'use `workingDir`',
  '--acp': 'use `transport`',
  '--experimental-acp': 'use `transport`',
  '--list-sessions': 'use the CLI itself',
  '--delete-session': 'use the CLI itself',
  '-l': 'use the CLI itself',
  '--list-extensions': 'use the CLI itself',
  '-v': 'use `validate()`',
  '--version': 'use `validate()`',
  '-h': 'use the CLI itself',
  '--help': 'use the CLI itself',
};

/** Returns the reasons why the arguments cannot be passed on, one for each wrong argument. */
export function findFlagProblems(args: readonly string[]): string[] {
  const problems: string[] = [];
  // The value of a refused flag is no further problem.
  let mayBeValue = false;
  for (const arg of args) {
    if (!arg.startsWith('-')) {
      if (!mayBeValue) problems.push(`"${arg}" is not a flag: the CLI would take it as the prompt`);
      // A flag takes one value each time it is given.
      mayBeValue = false;
      continue;
    }
    if (arg === '--') {
      return [...problems, 'must not contain "--": the CLI would take the rest as the prompt'];
    }
    const owned = flagNames(arg).find((flag) => Object.hasOwn(OWNED_FLAGS, flag));
    if (owned !== undefined) problems.push(`must not contain ${owned}: ${OWNED_FLAGS[owned]}`);
    mayBeValue = !arg.includes('=');
  }
  return [...new Set(problems)];
}

/** Returns all flags in one argument, as the CLI's parser reads `--model=x`, `-mx`, `--m`, `-dy` and `--no-sandbox`. */
function flagNames(arg: string): string[] {
  const bare = arg.split('=', 1)[0] ?? arg;
  if (!bare.startsWith('--')) return [...bare.slice(1)].map((letter) => `-${letter}`);
  if (bare.length === 3) return [bare.slice(1)];
  const kebab = bare.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [kebab.replace(/^--no-/, '--')];
}
