import type { BatchReport } from '../../api/batch-report.js';
import { hideCredentials } from '../queue/hide-credentials.js';

/** Texts that a shell takes as they are. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Returns the command that resumes a batch: the one that was given, without `--fresh`. Values of `--env` and passwords
 * in URLs are left out, because the command is printed into logs.
 */
export function describeResumeCommand(argv: readonly string[]): string {
  const words: string[] = [];
  let isVariable = false;
  for (const word of argv) {
    if (word === '--fresh') continue;
    const shown = isVariable ? hideValue(word) : word.replace(/^(--env=\w+)=.*$/s, '$1=…');
    isVariable = word === '--env';
    words.push(quoteWord(hideCredentials(shown)));
  }
  return ['gemini-cli-provider', ...words].join(' ');
}

/**
 * Returns the command that resumes a batch that was started elsewhere: its other flags are not known. Undefined if the
 * batch runs, or if its plan comes from code.
 */
export function findResumeCommand(
  { outcome, runs }: Pick<BatchReport, 'outcome' | 'runs'>,
  out: string,
  state?: string,
): string | undefined {
  const planFile = runs.at(-1)?.environment?.planFile;
  if (planFile === undefined || outcome === 'running') return undefined;
  const folders = ['--out', out, ...(state === undefined ? [] : ['--state', state])];
  return `${describeResumeCommand(['batch', planFile, ...folders])} (and the other flags of the last run)`;
}

function hideValue(word: string): string {
  return word.replace(/=.*$/s, '=…');
}

/** Quotes a word for a POSIX shell if the shell would change it. */
export function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
