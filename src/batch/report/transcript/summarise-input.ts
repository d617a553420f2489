import { isObject } from '../../../base/json/is-object.js';

const LONGEST = 200;

/** Arguments that tell most about a call, in order. */
const TELLING = [
  'command',
  'file_path',
  'absolute_path',
  'path',
  'dir_path',
  'pattern',
  'query',
  'url',
];

/** Describes the arguments of a tool call on one line: the most telling one, else all of them as JSON. */
export function summariseInput(event: Readonly<Record<string, unknown>>): string {
  const { input, title } = event;
  const given = isObject(input) ? input : {};
  const telling = TELLING.map((key) => given[key]).find(isText);
  const text = telling ?? (isText(title) ? title : toJson(given));
  const line = text
    .slice(0, LONGEST * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function toJson(given: Readonly<Record<string, unknown>>): string {
  return Object.keys(given).length === 0 ? '' : JSON.stringify(given);
}
