/** Flags that this package sets itself, and the option to use in their place. */
const OWNED_FLAGS: Readonly<Record<string, string>> = {
  '-p': 'the prompt argument',
  '--prompt': 'the prompt argument',
  '-i': 'the prompt argument',
  '--prompt-interactive': 'the prompt argument',
  '-o': 'nothing: the output format is what this package reads',
  '--output-format': 'nothing: the output format is what this package reads',
  '-m': '`model`',
  '--model': '`model`',
  '-y': '`approvalMode: "yolo"`',
  '--yolo': '`approvalMode: "yolo"`',
  '--approval-mode': '`approvalMode`',
  '-s': '`sandbox`',
  '--sandbox': '`sandbox`',
  '--include-directories': '`includeDirectories`',
  '--allowed-tools': '`allowedTools`',
  '-r': '`resume`',
  '--resume': '`resume`',
  '--session-id': '`sessionId`',
  '--session-file': '`resume`',
  '--skip-trust': '`trustWorkspace`',
  '-w': '`workingDir`',
  '--worktree': '`workingDir`',
  '--acp': '`transport`',
  '--experimental-acp': '`transport`',
  '--list-sessions': 'the CLI itself',
  '--delete-session': 'the CLI itself',
  '-l': 'the CLI itself',
  '--list-extensions': 'the CLI itself',
  '-v': '`validate()`',
  '--version': '`validate()`',
  '-h': 'the CLI itself',
  '--help': 'the CLI itself',
};

/** Why these extra arguments cannot be passed on, if they cannot. */
export function findFlagProblem(args: readonly string[]): string | undefined {
  let mayBeValue = false;
  for (const arg of args) {
    if (!arg.startsWith('-')) {
      if (!mayBeValue) return `"${arg}" is no flag: the CLI would take it as the prompt`;
      // A flag takes one value, also where it may be repeated.
      mayBeValue = false;
      continue;
    }
    const owned = flagNames(arg).find((flag) => Object.hasOwn(OWNED_FLAGS, flag));
    if (owned !== undefined) return `must not contain ${owned}: use ${OWNED_FLAGS[owned]}`;
    if (arg === '--') return 'must not contain "--": the CLI would take the rest as the prompt';
    mayBeValue = !arg.includes('=');
  }
  return undefined;
}

/** All flags in one argument, as the CLI's parser sees them: `--model=x`, `-mx`, `--m`, `-dy`, `--no-sandbox`. */
function flagNames(arg: string): string[] {
  const bare = arg.split('=', 1)[0] ?? arg;
  if (!bare.startsWith('--')) return [...bare.slice(1)].map((letter) => `-${letter}`);
  if (bare.length === 3) return [bare.slice(1)];
  const kebab = bare.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [kebab.replace(/^--no-/, '--')];
}
