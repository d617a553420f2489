import { type Command, InvalidArgumentError, Option } from 'commander';

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

const toNumber = (value: string): number => {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) throw new InvalidArgumentError('Give a number.');
  return number;
};

/** `NAME=value`, or `NAME` to pass ours on. */
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

/** The keys of the configuration as flags, but for those that take objects or functions. Lists are given by repeating the flag. */
export const CONFIG_FLAGS: readonly Option[] = [
  new Option('-m, --model <model>', "the model (default: the CLI's choice)"),
  new Option('--approval-mode <mode>', 'default, auto_edit, yolo or plan (default: auto_edit)'),
  new Option('--include-directories <dir>', 'one more workspace folder (repeatable)').argParser(
    collect,
  ),
  new Option(
    '--allowed-tools <rule>',
    'allow write_file, "run_shell_command(npm test)", … (repeatable)',
  ).argParser(collect),
  new Option('--denied-tools <rule>', 'refuse a tool, same form (repeatable)').argParser(collect),
  new Option('--sandbox <command>', '"true", or the sandbox command').argParser(toSwitchOrText),
  new Option('-C, --cwd <dir>', 'where the CLI runs (default: here)'),
  new Option('--working-dir <dir>', 'the same as --cwd').conflicts('cwd'),
  new Option('--timeout <seconds>', 'for the whole run (default: 600)').argParser(toNumber),
  new Option('--idle-timeout <seconds>', 'without any output (default: off)').argParser(toNumber),
  new Option('--start-timeout <seconds>', 'until the CLI reports for duty (default: 60)').argParser(
    toNumber,
  ),
  new Option(
    '--max-cli-attempts <n>',
    'give up when the CLI has tried a request n times',
  ).argParser(toNumber),
  new Option('--prompt-delivery <way>', 'auto, stdin or file (default: auto)'),
  new Option('--expand-at', 'let the CLI put files in the place of @path'),
  new Option('--no-expand-at', 'do not, whatever the config file says'),
  new Option('--system-prompt <text>', 'a system prompt'),
  new Option(
    '--system-prompt-file <file>',
    'a file that holds it, from the current folder',
  ).conflicts('systemPrompt'),
  new Option(
    '--system-prompt-mode <mode>',
    'prepend (to the prompt) or replace (the own one of the CLI)',
  ).choices(['prepend', 'replace']),
  new Option('--resume <session>', 'go on in a session: its id, its number, or latest'),
  new Option('--session-id <id>', 'the id of the new session'),
  new Option('--trust-workspace', 'trust the working directory for this run'),
  new Option('--no-trust-workspace', 'do not, whatever the config file says'),
  new Option('--env <name[=value]>', 'one more variable for the CLI (repeatable)').argParser(
    collectEnv,
  ),
  new Option('--inherit-env', 'pass the whole environment on'),
  new Option('--no-inherit-env', 'do not, whatever the config file says'),
  new Option('--cli-path <path>', 'the executable of the Gemini CLI'),
  new Option(
    '--extra-args <arg>',
    'one more argument for the CLI, as --extra-args=--debug (repeatable)',
  ).argParser(collect),
  new Option('--compile-cache', 'keep compiled code of the CLI between runs (default: on)'),
  new Option('--no-compile-cache', 'do not, whatever the config file says'),
  new Option(
    '--workspace-scan <when>',
    'compare the workspace before and after: auto, always or off',
  ),
  new Option(
    '--keep-artifacts <dir>',
    '"true", or the folder that keeps the files of the run',
  ).argParser(toSwitchOrText),
  new Option(
    '--repair <n>',
    'further turns to mend what `expects` of the config file found missing (default: 0)',
  ).argParser(toNumber),
  new Option('--transport <way>', 'headless or acp (default: headless); those below need acp'),
  new Option(
    '--permission-timeout <seconds>',
    'until a permission that is asked for is refused (default: 60)',
  ).argParser(toNumber),
  new Option('--unattended <what>', 'reject what no rule allows, or fail (default: reject)'),
  new Option('--client-files', 'let the agent read and write files through us'),
  new Option('--no-client-files', 'do not, whatever the config file says'),
  new Option('--client-terminals', 'let the agent run commands through us'),
  new Option('--no-client-terminals', 'do not, whatever the config file says'),
  new Option('--log-level <level>', 'log as JSON lines to stderr').choices([
    'debug',
    'info',
    'warn',
  ]),
];

/** All but those that make no sense for the command, by their names in the configuration. */
export function addConfigFlags(command: Command, except: readonly string[] = []): Command {
  command.option('-c, --config <file>', 'a YAML or JSON file with any of these settings');
  for (const flag of CONFIG_FLAGS) {
    if (!except.includes(flag.attributeName())) command.addOption(flag);
  }
  return command;
}
