import type { CompletedCommand, CompletedFlag, FlagValue } from './completion-words.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

type Write = (commands: readonly CompletedCommand[], names: readonly string[]) => string;

const FUNCTION = '_gemini_cli_provider';

/** Writes a word for bash, zsh and fish: in single quotes, so that the shell changes nothing. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Fish has a backslash as the only escape inside of single quotes. */
const quoteFish = (text: string): string => {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
};

/** Lines of a shell that find the words of the command before the cursor: `batch status`. */
const findPath = (commands: readonly CompletedCommand[], word: string): string[] => [
  `    case "$at $${word}" in`,
  ...commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const parent = path.split(' ').slice(0, -1).join(' ');
      return `      ${quote(`${parent} ${path.split(' ').at(-1)}`)}) at=${quote(path)} ;;`;
    }),
  '    esac',
];

const writeBash: Write = (commands, names) =>
  [
    `# Completion of ${names.join(' and ')} for bash: source <(${names[0]} completion bash)`,
    `${FUNCTION}() {`,
    '  local at="" word cur prev i IFS=$\'\\n\'',
    `  cur="\${COMP_WORDS[COMP_CWORD]}"`,
    `  prev="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  # bash splits words at "=".',
    `  if [[ "$cur" == "=" ]]; then cur=""; elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi`,
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    word="\${COMP_WORDS[i]}"`,
    ...findPath(commands, 'word'),
    '  done',
    '  COMPREPLY=()',
    '  case "$at $prev" in',
    ...commands.flatMap(({ path, flags }) =>
      flags
        .filter(({ value }) => value !== 'none')
        .map((flag) => {
          const patterns = flag.names.map((name) => quote(`${path} ${name}`)).join('|');
          return `    ${patterns}) ${completeBash(flag.value)} return ;;`;
        }),
    ),
    '  esac',
    '  case "$at" in',
    ...commands.map(({ path, words, flags }) => {
      const all = [...words.map(({ name }) => name), ...flags.flatMap((flag) => flag.names)];
      const list = all.join('\\n');
      return `    ${quote(path)}) COMPREPLY=($(compgen -W $'${list}' -- "$cur")) ;;`;
    }),
    '  esac',
    '  if [[ "$cur" != -* ]]; then compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")); fi',
    '}',
    `complete -F ${FUNCTION} ${names.join(' ')}`,
    '',
  ].join('\n');

function completeBash(value: FlagValue): string {
  if (value === 'file')
    return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"));';
  if (value === 'folder')
    return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"));';
  if (typeof value === 'string') return '';
  return `COMPREPLY=($(compgen -W $'${value.join('\\n')}' -- "$cur"));`;
}

const writeZsh: Write = (commands, names) =>
  [
    `#compdef ${names.join(' ')}`,
    `# Completion of ${names.join(' and ')} for zsh: source <(${names[0]} completion zsh), after compinit`,
    `${FUNCTION}() {`,
    '  local at="" word cur prev i',
    '  local -a found',
    `  cur="\${words[CURRENT]}"`,
    `  prev="\${words[CURRENT-1]}"`,
    '  for ((i = 2; i < CURRENT; i++)); do',
    `    word="\${words[i]}"`,
    ...findPath(commands, 'word'),
    '  done',
    '  case "$at $prev" in',
    ...commands.flatMap(({ path, flags }) =>
      flags
        .filter(({ value }) => value !== 'none')
        .map((flag) => {
          const patterns = flag.names.map((name) => quote(`${path} ${name}`)).join('|');
          return `    ${patterns}) ${completeZsh(flag.value)}; return ;;`;
        }),
    ),
    '  esac',
    '  case "$at" in',
    ...commands.map(({ path, words, flags }) => {
      const entries = [
        ...words.map(({ name, description }) => describeZsh(name, description)),
        ...flags.flatMap((flag) => flag.names.map((name) => describeZsh(name, flag.description))),
      ];
      return `    ${quote(path)}) found=(${entries.join(' ')}) ;;`;
    }),
    '  esac',
    "  _describe -o 'command or flag' found",
    '  [[ "$cur" == -* ]] || _files',
    '}',
    `compdef ${FUNCTION} ${names.join(' ')}`,
    '',
  ].join('\n');

function describeZsh(name: string, description: string): string {
  return quote(`${name.replaceAll(':', '\\:')}:${description}`);
}

function completeZsh(value: FlagValue): string {
  if (value === 'file') return '_files';
  if (value === 'folder') return '_files -/';
  return typeof value === 'string'
    ? "_message 'value'"
    : `compadd -- ${value.map(quote).join(' ')}`;
}

const writeFish: Write = (commands, names) =>
  [
    `# Completion of ${names.join(' and ')} for fish: ${names[0]} completion fish | source`,
    ...names.flatMap((name) =>
      commands.flatMap(({ path, words, flags }) => {
        const condition = quoteFish(
          conditionOf(
            path,
            words.map((one) => one.name),
          ),
        );
        return [
          ...words.map((one) => {
            return `complete -c ${name} -n ${condition} -a ${quoteFish(one.name)} -d ${quoteFish(one.description)}`;
          }),
          ...flags.map((flag) => {
            const spellings = flag.names.map(spellFish).join(' ');
            return `complete -c ${name} -n ${condition} ${spellings} -d ${quoteFish(flag.description)}${completeFish(flag)}`;
          }),
        ];
      }),
    ),
    '',
  ].join('\n');

function conditionOf(path: string, below: readonly string[]): string {
  const words = path === '' ? [] : path.split(' ');
  const not = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(' ')}`];
  return [...words.map((word) => `__fish_seen_subcommand_from ${word}`), ...not].join('; and ');
}

function spellFish(name: string): string {
  return name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
}

function completeFish({ value }: CompletedFlag): string {
  if (value === 'none') return '';
  if (value === 'file') return ' -r -F';
  if (value === 'folder') return " -x -a '(__fish_complete_directories)'";
  return typeof value === 'string' ? ' -x' : ` -x -a ${quoteFish(value.join(' '))}`;
}

const WRITERS: Readonly<Record<Shell, Write>> = { bash: writeBash, zsh: writeZsh, fish: writeFish };

/** Writes the script that completes commands, flags and their values in a shell. */
export function writeCompletion(
  shell: Shell,
  commands: readonly CompletedCommand[],
  names: readonly string[],
): string {
  return WRITERS[shell](commands, names);
}
