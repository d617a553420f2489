import { z } from 'zod';
import type { ExpectedCommand, ExpectedFiles } from '../../api/expectations.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { secondsField } from '../../config/fields.js';
import { findCommandProblem } from './command-form.js';
import { findRelativeGlobProblem } from './glob-form.js';
import { planText, readFields, wholeNumber } from './plan-schema.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import { createKeyRules, takeKeys } from './take-keys.js';

const FILES_KEYS = createKeyRules(['glob', 'min', 'max']);
const COMMAND_KEYS = createKeyRules(['command', 'args', 'timeout']);

const relativeGlob = planText.superRefine((pattern, check) => {
  const problem = findRelativeGlobProblem(pattern);
  if (problem !== undefined) check.addIssue(problem);
});
const filesSchema = z
  .object({ glob: relativeGlob, min: wholeNumber(0), max: wholeNumber(0) })
  .partial();
const programName = planText.refine((name) => name.trim() !== '' && !name.includes('\0'), {
  error: 'must name a program',
});
const commandSchema = z
  .object({
    command: programName,
    args: z.array(z.string('must be a text'), 'must be a list of texts'),
    timeout: secondsField,
  })
  .partial();

/** Reads one item. Returns undefined and adds a problem if the item cannot be used. */
export type ReadItem<Item> = (
  value: unknown,
  at: PlanPath,
  problems: ProblemList,
) => Item | undefined;

/** Reads a single item or a list of items. */
export function readItems<Item>(
  input: unknown,
  at: PlanPath,
  problems: ProblemList,
  read: ReadItem<Item>,
): Item | Item[] | undefined {
  if (input === undefined) return undefined;
  if (!Array.isArray(input)) return read(input, at, problems);
  if (input.length === 0) problems.add(at, input, 'must not be an empty list');
  return input.flatMap((value: unknown, index) => read(value, [...at, index], problems) ?? []);
}

export const readExpectedText: ReadItem<string> = (value, at, problems) => {
  if (typeof value === 'string' && value !== '') return value;
  problems.add(at, value, 'must be a non-empty text, or a list of these');
  return undefined;
};

export const readGlob: ReadItem<string> = (value, at, problems) => {
  if (typeof value !== 'string' || value === '') {
    problems.add(at, value, 'must be a glob, or a list of globs');
    return undefined;
  }
  const problem = findRelativeGlobProblem(value);
  if (problem !== undefined) problems.add(at, value, problem);
  return value;
};

export const readFiles: ReadItem<string | ExpectedFiles> = (value, at, problems) => {
  if (!isPlainObject(value)) {
    if (typeof value === 'string' && value !== '') return readGlob(value, at, problems);
    problems.add(at, value, 'must be a glob, { glob, min, max }, or a list of these');
    return undefined;
  }
  const given = takeKeys(value, FILES_KEYS, at, problems);
  const { glob, ...counts } = readFields(filesSchema, given, at, problems);
  const { min = 1, max } = counts;
  if (given['glob'] === undefined) problems.add(at, value, 'must have a glob');
  if (max !== undefined && max < min) {
    problems.add([...at, 'max'], max, `must not be below min, which is ${min}`);
  }
  return glob === undefined ? undefined : { glob, ...counts };
};

export const readCommand: ReadItem<string | ExpectedCommand> = (value, at, problems) => {
  if (typeof value === 'string') {
    const problem = findCommandProblem(value);
    if (problem !== undefined) problems.add(at, value, problem);
    return value;
  }
  if (!isPlainObject(value)) {
    problems.add(at, value, 'must be a command, { command, args, timeout }, or a list of these');
    return undefined;
  }
  const given = takeKeys(value, COMMAND_KEYS, at, problems);
  const { command, ...rest } = readFields(commandSchema, given, at, problems);
  if (given['command'] === undefined) problems.add(at, value, 'must have a command');
  return command === undefined ? undefined : { command, ...rest };
};
