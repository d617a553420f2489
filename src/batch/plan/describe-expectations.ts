import type { Expectations, ExpectedCommand, ExpectedFiles } from '../../api/expectations.js';

/** Describes the expectations of a step in one line of text. */
export function describeExpectations(expects: Expectations): string {
  const { files, contains, json, command, noChangesOutside } = expects;
  return [
    ...toList(files).map(describeFiles),
    ...toList(contains).map((text) => `text ${JSON.stringify(text)}`),
    ...(json === undefined ? [] : ['JSON']),
    ...toList(command).map(describeCommand),
    ...(noChangesOutside === undefined
      ? []
      : [`no changes outside ${toList(noChangesOutside).join(', ')}`]),
  ].join('; ');
}

function describeFiles(files: string | ExpectedFiles): string {
  const { glob, min = 1, max } = typeof files === 'string' ? { glob: files } : files;
  return max === undefined ? `files ${glob} (${min} or more)` : `files ${glob} (${min} to ${max})`;
}

function describeCommand(command: string | ExpectedCommand): string {
  if (typeof command === 'string') return `command ${command}`;
  return `command ${[command.command, ...(command.args ?? [])].join(' ')}`;
}

function toList<Item>(items: Item | readonly Item[] | undefined): readonly Item[] {
  if (items === undefined) return [];
  return isList(items) ? items : [items];
}

/** True if `items` is a list. The type guard of `Array.isArray` does not narrow to read-only lists. */
function isList<Item>(items: Item | readonly Item[]): items is readonly Item[] {
  return Array.isArray(items);
}
