import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../../base/text/parse-duration.js';

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

const toNumber = (value: string): number => {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) throw new InvalidArgumentError('Give a number.');
  return number;
};

/** Parses a number of seconds or a duration with units. A text stays as it is, so that problems show what was given. */
export const toDuration = (value: string): number | string => {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  // The configuration refuses a number that is no time, such as -1: it tells why, and in JSON if that is asked for.
  if (!Number.isNaN(number)) return number;
  if (parseDuration(value) !== undefined) return value;
  throw new InvalidArgumentError('Give seconds, or a duration such as 90s, 5m or 1h30m.');
};

/** Parses `NAME=value`. `NAME` alone passes the variable of this process to the CLI. */
const collectEnv = (
  value: string,
  all: Record<string, unknown> | undefined,
): Record<string, unknown> => {
  const at = value.indexOf('=');
  return at === -1
    ? { ...all, [value]: true }
    : { ...all, [value.slice(0, at)]: value.slice(at + 1) };
};

const toSwitchOrText = (value: string): boolean | string => {
  return value === 'true' || value === 'false' ? value === 'true' : value;
};

/** Flags for the configuration keys, except keys that take objects or functions. A repeated flag gives a list. */
export const CONFIG_FLAGS: readonly Option[] = [
  new Option('-m, --model <model>', "Model (default: the CLI's choice)"),
  new Option(
    '--approval-mode <mode>',
    'Approval mode: default, auto_edit, yolo or plan (default: auto_edit)',
  ),
  new Option('--include-directories <dir>', 'Further workspace folder (repeatable)').argParser(
    collect,
  ),
  new Option(
    '--allowed-tools <rule>',
    'Allow a tool: write_file, "run_shell_command(npm test)", … (repeatable)',
  ).argParser(collect),
  new Option('--denied-tools <rule>', 'Deny a tool, in the same form (repeatable)').argParser(
    collect,
  ),
  new Option(
    '--allow-redirection',
    'Let the shell commands of --allowed-tools redirect their input and output',
  ),
  new Option('--no-allow-redirection', 'Let no allowed shell command redirect'),
  new Option(
    '--protected-paths <glob>',
    'Protect further files: a glob, an absolute path, or "!.env" to take a default away (repeatable)',
  ).argParser(collect),
  new Option('--no-protected-paths', 'Protect no files'),
  new Option(
    '--sandbox <command>',
    'Sandbox: "true" for that of the CLI, or the sandbox command',
  ).argParser(toSwitchOrText),
  new Option('-C, --cwd <dir>', 'Working directory of the CLI (default: the current folder)'),
  new Option('--working-dir <dir>', 'Same as --cwd').conflicts('cwd'),
  new Option(
    '--timeout <time>',
    'Maximum time of the whole step: seconds, or 90s, 5m, 1h30m (default: 600)',
  ).argParser(toDuration),
  new Option('--idle-timeout <time>', 'Maximum time without any output (default: off)').argParser(
    toDuration,
  ),
  new Option(
    '--start-timeout <time>',
    'Maximum time until the first event of the CLI (default: 60)',
  ).argParser(toDuration),
  new Option(
    '--max-cli-attempts <n>',
    'Stop after the CLI has tried an API request n times',
  ).argParser(toNumber),
  new Option(
    '--prompt-delivery <way>',
    'How the CLI gets the prompt: auto, stdin or file (default: auto)',
  ),
  new Option('--expand-at', 'Let the CLI replace @path by the content of the file'),
  new Option('--no-expand-at', 'Turn off expandAt of the config file'),
  new Option('--system-prompt <text>', 'System prompt'),
  new Option(
    '--system-prompt-file <file>',
    'File with the system prompt, relative to the current folder',
  ).conflicts('systemPrompt'),
  new Option(
    '--system-prompt-mode <mode>',
    'Prepend the system prompt to the prompt, or replace that of the CLI',
  ).choices(['prepend', 'replace']),
  new Option('--resume <session>', 'Continue a session: its id, its number, or latest'),
  new Option('--session-id <id>', 'Id of the new session'),
  new Option('--trust-workspace', 'Trust the working directory for this step'),
  new Option('--no-trust-workspace', 'Turn off trustWorkspace of the config file'),
  new Option(
    '--env <name[=value]>',
    'Set a variable for the CLI, or pass on one of this shell (repeatable)',
  ).argParser(collectEnv),
  new Option('--inherit-env', 'Pass the whole environment to the CLI'),
  new Option('--no-inherit-env', 'Turn off inheritEnv of the config file'),
  new Option(
    '--secret, --secrets <name>',
    'Variable whose value is removed from errors, logs and artifacts (repeatable)',
  ).argParser(collect),
  new Option('--cli-path <path>', 'Executable of the Gemini CLI'),
  new Option(
    '--extra-args <arg>',
    'Further argument for the CLI, as --extra-args=--debug (repeatable)',
  ).argParser(collect),
  new Option('--compile-cache', 'Keep compiled code of the CLI between steps (default: on)'),
  new Option('--no-compile-cache', 'Turn off the compile cache'),
  new Option(
    '--process-isolation <means>',
    'Hold processes together by: auto, cgroup, subreaper, namespace or off (default: auto)',
  ),
  new Option(
    '--workspace-scan <when>',
    'Compare the workspace before and after the step: auto, always or off (default: auto)',
  ),
  new Option(
    '--keep-artifacts <dir>',
    'Keep the files of the step: "true", or the folder for them',
  ).argParser(toSwitchOrText),
  new Option(
    '--repair <n>',
    'Maximum number of turns to repair what `expects` of the config file finds missing (default: 0)',
  ).argParser(toNumber),
  new Option(
    '--max-cost <usd>',
    'No further repair once the step has cost this much by list price, in US dollars',
  ).argParser(toNumber),
  new Option(
    '--prices <file>',
    'YAML or JSON file with prices of models, in US dollars per million tokens',
  ),
  new Option('--transport <way>', 'How the CLI is driven: headless or acp (default: headless)'),
  new Option(
    '--permission-timeout <time>',
    'With acp: reject a permission request after this time (default: 60)',
  ).argParser(toDuration),
  new Option(
    '--unattended <what>',
    'With acp, if no rule allows a request: reject it, or fail the step (default: reject)',
  ),
  new Option('--client-files', 'With acp: the agent reads and writes files through this command'),
  new Option('--no-client-files', 'Turn off clientFiles of the config file'),
  new Option('--client-terminals', 'With acp: the agent runs shell commands through this command'),
  new Option('--no-client-terminals', 'Turn off clientTerminals of the config file'),
  new Option('--strict', 'Make errors of unknown keys, unknown tools and options without effect'),
  new Option('--no-strict', 'Turn off strict of the config file'),
  new Option('--log-level <level>', 'Log as JSON lines to stderr').choices([
    'debug',
    'info',
    'warn',
  ]),
];

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Model and rights:': [
    'model',
    'approvalMode',
    'allowedTools',
    'deniedTools',
    'allowRedirection',
    'protectedPaths',
    'trustWorkspace',
    'sandbox',
    'systemPrompt',
    'systemPromptFile',
    'systemPromptMode',
  ],
  'Folders and sessions:': [
    'cwd',
    'workingDir',
    'includeDirectories',
    'resume',
    'sessionId',
    'workspaceScan',
    'keepArtifacts',
  ],
  'Time, retries and cost:': [
    'timeout',
    'idleTimeout',
    'startTimeout',
    'maxCliAttempts',
    'repair',
    'maxCost',
    'prices',
  ],
  'Over ACP:': ['transport', 'permissionTimeout', 'unattended', 'clientFiles', 'clientTerminals'],
};
const OTHER_GROUP = 'Configuration and environment:';

/** Returns the group of a configuration flag in the help of `run`, `doctor` and `worker`. */
function groupOf(key: string): string {
  const entry = Object.entries(GROUPS).find(([, keys]) => keys.includes(key));
  return entry?.[0] ?? OTHER_GROUP;
}

/** Adds the configuration flags to a command, except those of the keys in `except`. `adapt` may change a copy of each. */
export function addConfigFlags(
  command: Command,
  except: readonly string[] = [],
  adapt: (flag: Option) => Option = (flag) => flag,
): Command {
  const file = 'YAML or JSON file with any of these settings (default: found by itself)';
  command
    .addOption(new Option('-c, --config <file>', file).helpGroup(OTHER_GROUP))
    .addOption(new Option('--no-config', 'Read no config file').helpGroup(OTHER_GROUP));
  for (const flag of CONFIG_FLAGS) {
    if (except.includes(flag.attributeName())) continue;
    command.addOption(adapt(flag).helpGroup(groupOf(flag.attributeName())));
  }
  return command;
}
