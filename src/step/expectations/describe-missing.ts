import type { MissingExpectation } from '../../api/expectations.js';
import { toPlainText } from './wording.js';

const REMEDIES: Readonly<Partial<Record<MissingExpectation['kind'], string>>> = {
  json: 'The answer must end with one ```json block that satisfies the schema.',
  command: 'The command must exit with 0.',
  noChangesOutside: 'Restore these files to their original content.',
};

/** Writes the repair prompt: all missing expectations with the details that the model needs. */
export function describeMissing(missing: readonly MissingExpectation[]): string {
  const isAboutAnswer = missing.some(({ kind }) => kind === 'json' || kind === 'contains');
  const lines = [
    'Your work was checked. These requirements are not met:',
    ...missing.map((item, index) => describeItem(item, `${index + 1}. `)),
    isAboutAnswer
      ? 'Fix all of them in this working directory, and give the whole corrected answer again.'
      : 'Fix all of them in this working directory.',
  ];
  return toPlainText(lines.join('\n\n'));
}

function describeItem({ kind, message, detail }: MissingExpectation, number: string): string {
  const indent = ' '.repeat(number.length);
  const remedy = REMEDIES[kind];
  const label = kind === 'command' ? 'End of the output:' : 'Details:';
  return [
    `${number}${message}.`,
    ...(remedy === undefined ? [] : [indent + remedy]),
    ...(detail === undefined
      ? []
      : [indent + label, ...detail.split('\n').map((line) => `${indent}| ${line}`)]),
  ].join('\n');
}
