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
  '--acp': 'nothing: this is the headless transport',
  '--experimental-acp': 'nothing: this is the headless transport',
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
      continue;
    }
    const flag = flagName(arg);
    const instead = Object.hasOwn(OWNED_FLAGS, flag) ? OWNED_FLAGS[flag] : undefined;
    if (instead !== undefined) return `must not contain ${flag}: use ${instead}`;
    if (arg === '--') return 'must not contain "--": the CLI would take the rest as the prompt';
    mayBeValue = !arg.includes('=');
  }
  return undefined;
}

/** `--model=x` and `-mx` are spellings of `--model` and `-m`; `--no-sandbox` of `--sandbox`. */
function flagName(arg: string): string {
  const bare = arg.split('=', 1)[0] ?? arg;
  if (!bare.startsWith('--')) return bare.slice(0, 2);
  const kebab = bare.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return kebab.replace(/^--no-/, '--');
}
