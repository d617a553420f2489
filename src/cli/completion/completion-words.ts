import type { Command, Option } from 'commander';

/** What may follow a flag: words, a path, or a text that cannot be completed. */
export type FlagValue = 'none' | 'text' | 'file' | 'folder' | readonly string[];

export interface CompletedFlag {
  /** Spellings: `-m`, `--model`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly value: FlagValue;
}

/** A command, by its words: `batch status`. The program itself has no words. */
export interface CompletedCommand {
  readonly path: string;
  /** Subcommands, or values of the argument. */
  readonly words: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly CompletedFlag[];
}

/** Values of flags whose help names them in a sentence. A test compares them with the configuration. */
export const FLAG_VALUES: Readonly<Record<string, readonly string[]>> = {
  approvalMode: ['default', 'auto_edit', 'yolo', 'plan'],
  promptDelivery: ['auto', 'stdin', 'file'],
  processIsolation: ['auto', 'cgroup', 'subreaper', 'namespace', 'off'],
  workspaceScan: ['auto', 'always', 'off'],
  transport: ['headless', 'acp'],
  unattended: ['reject', 'fail'],
};

/** Lists a command and all commands below it, hidden ones left out. */
export function listCompletions(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp();
  const shown = help.visibleCommands(command);
  const below = command.commands.filter((one) => shown.includes(one));
  return [
    {
      path,
      words: [
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) => {
          return argChoices.map((name) => ({ name, description }));
        }),
        ...shown.map((one) => ({
          name: one.name(),
          description: firstSentence(one.description()),
        })),
      ],
      flags: help.visibleOptions(command).map(toFlag),
    },
    ...below.flatMap((one) => listCompletions(one, `${path} ${one.name()}`.trim())),
  ];
}

function toFlag(flag: Option): CompletedFlag {
  return {
    names: [flag.short, flag.long].filter((name) => name != null),
    description: firstSentence(flag.description),
    value: readValueKind(flag),
  };
}

function readValueKind(flag: Option): FlagValue {
  if (!flag.required && !flag.optional) return 'none';
  const words = flag.argChoices ?? FLAG_VALUES[flag.attributeName()];
  if (words !== undefined) return words;
  if (/<file>|<path>/.test(flag.flags)) return 'file';
  return flag.flags.includes('<dir>') ? 'folder' : 'text';
}

/** Descriptions in a list of completions are short. "With acp:" alone would say nothing. */
function firstSentence(text: string): string {
  const [first = ''] = text.replace(/^With acp: /, '').split(/[:;(]/, 1);
  return first.trim();
}
