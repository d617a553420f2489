import { z } from 'zod';
import type { AnswerSchema, Expectations } from '../api/expectations.js';
import { messageOf } from '../base/errors/message-of.js';
import { isObject } from '../base/json/is-object.js';
import { createAnswerCheck } from './answer-schema.js';
import { splitCommandLine } from './command-line.js';
import { secondsField, textField } from './fields.js';

/**
 * Adds the problem as an issue with `continue`. A union then reports this message instead of its own, because this
 * member is the only candidate left.
 */
function refuseText(schema: z.ZodString, findProblem: (value: string) => string | undefined) {
  return schema.superRefine((value, check) => {
    const message = findProblem(value);
    if (message !== undefined) check.addIssue({ code: 'custom', message, continue: true });
  });
}

const glob = refuseText(textField, findGlobProblem);

function findGlobProblem(pattern: string): string | undefined {
  if (/^(?:\/|[A-Za-z]:)/.test(pattern)) return 'must be relative to the working directory';
  if (/\\(?![()[\]{}])/.test(pattern)) return 'must use forward slashes';
  return undefined;
}

function oneOrMore<Item extends z.ZodType>(item: Item, error: string) {
  return z.union([item, z.array(item)], { error });
}

const count = z.int().min(0);
const expectedFiles = z.union([
  glob,
  z
    .strictObject({ glob, min: count.optional(), max: count.optional() })
    .refine(({ min = 1, max = min }) => min <= max, {
      error: 'has a min above its max (min defaults to 1)',
    }),
]);

const commandLine = refuseText(z.string(), (line) => {
  const split = splitCommandLine(line);
  return 'problem' in split ? split.problem : undefined;
});
const expectedCommand = z.union([
  commandLine,
  z.strictObject({
    command: textField,
    args: z.array(z.string()).optional(),
    timeout: secondsField.optional(),
  }),
]);

/** Schema of one command or several. */
export const commandsField = oneOrMore(
  expectedCommand,
  'must be a command line, { command, args, timeout }, or a list of these',
);

const answerSchema = z
  .custom<AnswerSchema>(isObject, 'must be a JSON Schema, or an object with safeParse')
  .superRefine((schema, check) => {
    try {
      createAnswerCheck(schema);
    } catch (error) {
      const reason = messageOf(error);
      check.addIssue(`is not a JSON Schema of draft 2020-12 or 07: ${reason}`);
    }
  });

const expectations = z
  .strictObject({
    files: oneOrMore(expectedFiles, 'must be a glob, { glob, min, max }, or a list of these'),
    contains: oneOrMore(textField, 'must be a text, or a list of texts'),
    json: answerSchema,
    command: commandsField,
    noChangesOutside: oneOrMore(glob, 'must be a glob, or a list of globs'),
  })
  .partial();

/** Schema of the option `expects`. */
export const expectationsSchema: z.ZodType<Expectations> = z.preprocess(
  renameSnakeCase,
  expectations,
);

/** Accepts the snake_case spelling, and drops null values, which mean "not set" in YAML. */
function renameSnakeCase(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, given]) => given !== null);
  return Object.fromEntries(
    entries.map(([key, given]) => [key === 'no_changes_outside' ? 'noChangesOutside' : key, given]),
  );
}
