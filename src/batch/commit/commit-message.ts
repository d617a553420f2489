import type { StepResult } from '../ledger/ledger-entry.js';
import { fillStepReferences } from '../plan/fill-step-references.js';

/** Most characters of the answer's first line in the usual message. */
const LONGEST_LINE = 100;
/** Most characters of a message. An answer may be as long as a book. */
const LONGEST_MESSAGE = 50_000;

export interface CommittedStep {
  readonly id: string;
  /** True for the usual message, or the message with a reference to the answer of the step. */
  readonly commit?: true | string | undefined;
}

/** Returns the message of a step's commit: that of the plan, or the id and the first line of the answer. */
export function messageOfCommit(
  { id, commit }: CommittedStep,
  { text = '' }: Pick<StepResult, 'text'>,
): string {
  const given =
    typeof commit === 'string' ? fillStepReferences(commit, () => ({ text, files: [] })) : '';
  const message = clean(given).slice(0, LONGEST_MESSAGE);
  return `${message === '' ? usualMessage(id, text) : message}\n`;
}

function usualMessage(id: string, text: string): string {
  const [line = ''] = clean(text).split('\n', 1);
  const short = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
  const subject = short === '' ? id : `${id}: ${short}`;
  return subject.replaceAll(/\s+/g, ' ').trim();
}

/** Removes NUL characters, which git refuses, and blanks around the text. */
function clean(text: string): string {
  return text.replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
}
