import { z } from 'zod';
import { describeUnknownKeys } from '../base/text/describe-unknown-keys.js';
import { listNames } from '../base/text/list-names.js';
import { createSuggest } from '../base/text/nearest-name.js';

/** Values of other tools, with the value of this package that means the same. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  acceptEdits: 'auto_edit',
  bypassPermissions: 'yolo',
  dontAsk: 'yolo',
  'full-auto': 'auto_edit',
  'read-only': 'plan',
};

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/**
 * Describes an issue of zod in the words of this package. Schemas with a message of their own are not asked. Returns
 * undefined for an issue that no schema of this package causes: zod then uses its own message.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input);
    case 'invalid_value':
      return describeChoice(issue.values.map(String), issue.input);
    case 'too_small':
      return describeLimit('at least', issue.origin, Number(issue.minimum));
    case 'too_big':
      return describeLimit('at most', issue.origin, Number(issue.maximum));
    case 'unrecognized_keys':
      return describeKeys(issue.keys, issue.inst);
    case 'invalid_format':
      return 'has a form that is not allowed';
    case 'custom':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return 'is not allowed';
    default:
      return undefined;
  }
}

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return `is missing: it ${TYPES[expected] ?? `must be a ${expected}`}`;
  const isQuoted = expected === 'boolean' && (input === 'true' || input === 'false');
  const isNumber = /^(?:int|number)$/.test(expected) && typeof input === 'string';
  const advice =
    isQuoted || (isNumber && input.trim() !== '' && !Number.isNaN(Number(input)))
      ? ', without quotes'
      : '';
  return `${TYPES[expected] ?? `must be a ${expected}`}${advice}`;
}

function describeChoice(allowed: readonly string[], input: unknown): string {
  const list = `must be ${listNames(allowed.map((name) => JSON.stringify(name)))}`;
  if (typeof input !== 'string') return list;
  const other = Object.hasOwn(OTHER_VALUES, input) ? OTHER_VALUES[input] : undefined;
  if (other !== undefined && allowed.includes(other))
    return `${list}. It is called "${other}" here`;
  return `${list}${createSuggest(allowed)(input)}`;
}

function describeLimit(bound: string, origin: string, limit: number): string {
  if (origin === 'string')
    return limit === 1 ? 'must not be empty' : `must have ${bound} ${limit} letters`;
  if (origin === 'array')
    return limit === 1 ? 'must not be empty' : `must have ${bound} ${limit} entries`;
  return `must be ${bound} ${limit}`;
}

function describeKeys(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return describeUnknownKeys(keys, known);
}
