import type { MissingExpectation } from '../../api/expectations.js';
import { toPlainText } from './wording.js';

const REMEDIES: Readonly<Partial<Record<MissingExpectation['kind'], string>>> = {
  json: 'The answer must end with one ```json block that satisfies the schema.',
  command: 'It must exit with 0.',
  noChangesOutside: 'Put these files back as they were.',
};

/** What is missing, as the model is told it in order to mend it. */
export function describeMissing(missing: readonly MissingExpectation[]): string {
  const isAboutAnswer = missing.some(({ kind }) => kind === 'json' || kind === 'contains');
  const lines = [
    'Your work was checked, and this is not yet as it has to be:',
    ...missing.map((item, index) => describeItem(item, `${index + 1}. `)),
    isAboutAnswer
      ? 'Mend all of it in this working directory, and give the whole corrected answer once more.'
      : 'Mend all of it in this working directory.',
  ];
  return toPlainText(lines.join('\n\n'));
}

function describeItem({ kind, message, detail }: MissingExpectation, number: string): string {
  const indent = ' '.repeat(number.length);
  const remedy = REMEDIES[kind];
  const label = kind === 'command' ? 'The end of its output:' : 'In detail:';
  return [
    `${number}${message}.`,
    ...(remedy === undefined ? [] : [indent + remedy]),
    ...(detail === undefined
      ? []
      : [indent + label, ...detail.split('\n').map((line) => `${indent}| ${line}`)]),
  ].join('\n');
}
