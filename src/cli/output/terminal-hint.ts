import type { Option } from 'commander';
import type { ProviderErrorData } from '../../api/error.js';
import { cleanName, cleanText } from '../../base/text/clean-text.js';
import { SELECTION_FLAGS, STEP_FLAGS } from '../batch/batch-flags.js';
import { quoteWord } from '../batch/resume-command.js';
import { CONFIG_FLAGS } from '../config/config-flags.js';
import { formatCountdown } from './format-numbers.js';
import type { Paint } from './output.js';

/** Maximum number of lines of stderr, and of missing conditions, below a hint. */
const MOST_STDERR_LINES = 10;
const MOST_MISSING = 5;

/** What is known about the error of a hint. */
type HintedError = Partial<
  Pick<ProviderErrorData, 'retryAfterMs' | 'sessionId' | 'stderrTail' | 'missing'>
>;

/** `batch` has other flags than `run` and `doctor`, and prints missing conditions below hints instead of above them. */
export type HintCommand = 'run' | 'batch';

interface Flag {
  readonly on: string;
  readonly off?: string | undefined;
}

/** Configuration keys of a session. `--resume` of a batch means another thing. */
const SESSION_KEYS = ['resume', 'sessionId'];
/** Options of a batch whose values are ids of steps. */
const ID_KEYS = ['only', 'from', 'skip'];
const RUN_FLAGS = indexFlags([...CONFIG_FLAGS, ...STEP_FLAGS]);
const BATCH_FLAGS = new Map([...RUN_FLAGS].filter(([key]) => !SESSION_KEYS.includes(key)));
/** Names the config file in problems. The file itself has no such key. */
const CONFIG_KEY = 'config';
/** These flags have no key in a plan, so that only an error about them names them. */
const SELECTION = indexFlags(SELECTION_FLAGS);

function indexFlags(all: readonly Option[]): ReadonlyMap<string, Flag> {
  return new Map(
    all.flatMap((flag) => {
      const key = flag.attributeName();
      const negated = all.find((other) => other.negate && other.attributeName() === key);
      if (flag.negate || flag.long == null) return [];
      // A batch has no --working-dir, and --cwd means the same everywhere.
      const on = key === 'workingDir' ? '--cwd' : flag.long;
      return [[key, { on, off: negated?.long ?? undefined }] as const];
    }),
  );
}

/** A setting in a hint. Alternatives to the left win; other code in backticks is matched in order to stay. */
const SETTING = new RegExp(
  [
    '`[\\w.]+` \\((?<named>`--[^`]+`)\\)',
    '`(?<codeKey>\\w+)(?:: (?<codeValue>[^`]+))?`',
    '`[^`]*`',
    '\\b(?<listKey>\\w+): \\["(?<list>.*?)"\\](?=[\\s.,]|$)',
    '\\b(?<valueKey>\\w+): (?<value>"[^"]*"|\'[^\']*\'|true\\b|false\\b|\\d+\\b)',
    '(?<![\\w/\\\\.-])(?<key>[a-z]+[A-Z]\\w*)(?![\\w/\\\\-]|\\.\\w)(?: (?<mode>"\\w+"))?',
  ].join('|'),
  'g',
);

/**
 * Rewrites a hint for a reader of a terminal: flags in place of configuration keys, and what the reader sees in place of
 * fields of the error. Names that have no flag stay.
 */
export function rewriteHint(hint: string, command: HintCommand, error: HintedError = {}): string {
  const flags = command === 'batch' ? BATCH_FLAGS : RUN_FLAGS;
  const [, wrong, rest = ''] = /^Correct ([\w.]*\w(?:, [\w.]*\w)*)\.(?: (.*))?$/s.exec(hint) ?? [];
  if (wrong !== undefined) {
    // The value may come from a file: the key stays beside the flag.
    const keys = wrong.split(', ');
    const names = keys.map((key) => {
      const flag = key === CONFIG_KEY ? '--config' : flags.get(key)?.on;
      return SELECTION.get(key)?.on ?? (flag === undefined ? key : `${key} (${flag})`);
    });
    const examples = rest === '' ? '' : ` ${rewriteHint(rest, command, error)}`;
    const ids = keys.some((key) => ID_KEYS.includes(key))
      ? ' `--dry-run --verbose` lists the ids of all steps.'
      : '';
    return `Correct ${names.join(', ')}.${examples}${ids}`;
  }
  const text = replaceFields(hint, command, error).replace(SETTING, (...match) => {
    const whole: string = match[0];
    const groups: Readonly<Record<string, string | undefined>> = match.at(-1);
    const { named, codeKey, codeValue, listKey, list, valueKey, value, key, mode } = groups;
    if (named !== undefined) return named;
    if (codeKey === 'resume') return `\`${resumeWords(command, error)}\``;
    const flag = flags.get(codeKey ?? listKey ?? valueKey ?? key ?? '');
    if (flag === undefined) return whole;
    if (list !== undefined) return list.split('", "').map(giveText(flag)).join(' ');
    if (codeKey === undefined) return giveValue(flag, value ?? mode);
    return `\`${giveValue(flag, codeValue)}\``;
  });
  return cleanName(text);
}

function giveText({ on }: Flag): (text: string) => string {
  return (text) => `${on} ${/["$`\\!]/.test(text) ? quoteWord(text) : `"${text}"`}`;
}

function giveValue({ on, off }: Flag, value: string | undefined): string {
  if (value === undefined || value === 'true') return on;
  if (value === 'false' && off !== undefined) return off;
  return `${on} ${value.replace(/^(["'])([\w-]*)\1$/, '$2')}`;
}

/** Replaces the fields of an error, and sentences that make sense in code only. */
function replaceFields(hint: string, command: HintCommand, error: HintedError): string {
  const { retryAfterMs, stderrTail = '', missing = [] } = error;
  const wait = retryAfterMs === undefined ? 'Wait' : `Wait ${formatCountdown(retryAfterMs)}`;
  const listed = command === 'run' ? ' above' : ' below';
  const where = missing.length === 0 ? '' : listed;
  const replacements: readonly (readonly [pattern: RegExp, text: string])[] = [
    [/Wait for `retryAfterMs`(?: \(or back off exponentially\))?/g, wait],
    [/`missing` for the unmet expectations/g, `the unmet expectations${where}`],
    [/`missing`/g, `the unmet expectations${where}`],
    [
      /`stderrTail` and `message`/g,
      stderrTail.trim() === '' ? '`message`' : '`stderrTail` and `message`',
    ],
    [/`stderrTail`/g, stderrTail.trim() === '' ? 'stderr' : 'the stderr below'],
    [/`exitCode`/g, 'the exit code'],
    [/`partial\.files`/g, 'the files of the step'],
    [/`partial`/g, 'the output of the step'],
    [/`message`/g, 'the message'],
    [/See `cause`/g, 'See the message'],
    [/each entry of `problems`/g, 'each problem'],
    [/the `sessionId` of an earlier result/g, 'the session id of an earlier step'],
    [/`resume` and the session id/g, '`resume`'],
    [/turn `?sandbox`? off/g, 'turn the sandbox off with `--sandbox false`'],
    [/`listSessions\(\)`/g, '`gemini-cli-provider sessions list`'],
    [/`projectDir`/g, '`--cwd`'],
    [/, or decide in onPermission/g, ''],
    [/add ("!.*") to it/g, 'add protectedPaths: [$1]'],
    ...(command === 'run' ? [[/\bcontext\.promptFile\b/g, '--prompt-file'] as const] : []),
  ];
  return replacements.reduce((text, [pattern, by]) => text.replace(pattern, by), hint);
}

function resumeWords(command: HintCommand, { sessionId = 'SESSION' }: HintedError): string {
  const flag = `--resume ${quoteWord(cleanName(sessionId))}`;
  return command === 'run' ? flag : `gemini-cli-provider run ${flag}`;
}

/**
 * Returns the lines of a hint for a reader of a terminal: the hint, and below it what it names and the command does not
 * print elsewhere (the end of stderr, the missing conditions of a step of a batch).
 */
export function describeHint(
  error: HintedError & { readonly hint: string },
  command: HintCommand,
  paint: Paint,
): string[] {
  const { hint, stderrTail = '', missing = [] } = error;
  const more = missing.length - MOST_MISSING;
  const isListed = command === 'batch' && hint.includes('`missing`');
  const unmet = [
    ...missing.slice(0, MOST_MISSING).map(({ message }) => `Missing: ${cleanName(message)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  const stderr = cleanText(stderrTail).trimEnd().split('\n').slice(-MOST_STDERR_LINES);
  const isPrinted = hint.includes('`stderrTail`') && stderrTail.trim() !== '';
  const details = [...(isListed ? unmet : []), ...(isPrinted ? stderr : [])];
  return [
    rewriteHint(hint, command, error),
    ...details.map((line) => paint.dim(`    ${line.trimEnd()}`)),
  ];
}

/** Returns a remark if one of the hints, rewritten, names a flag of a step: in a batch, the plan wins over flags. */
export function remarkOnFlags(hints: readonly string[]): string[] {
  const flags = new Set([...BATCH_FLAGS.values()].flatMap(({ on, off = on }) => [on, off]));
  const isNamed = hints.some((hint) => {
    const named = rewriteHint(hint, 'batch').match(/(?<![\w-])--[a-z-]+/g) ?? [];
    return named.some((flag) => flags.has(flag));
  });
  return isNamed ? ['  Flags apply to steps for which the plan does not set the same key.'] : [];
}
