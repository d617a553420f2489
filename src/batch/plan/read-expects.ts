import type { AnswerSchema, Expectations } from '../../api/expectations.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { valueAt } from '../../base/json/value-at.js';
import { isSchemaLike } from '../../config/answer-schema.js';
import { expectationsSchema } from '../../config/expectations-schema.js';
import { readCommand, readExpectedText, readFiles, readGlob, readItems } from './expected-items.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import type { ReadSchema } from './schema-files.js';
import { createKeyRules, takeKeys } from './take-keys.js';

const KEYS = createKeyRules(['files', 'contains', 'json', 'command', 'noChangesOutside']);

/** Reads the expectations of a step or of the defaults. Returns undefined if the input is not an object. */
export function readExpects(
  input: unknown,
  at: PlanPath,
  problems: ProblemList,
  readSchema: ReadSchema,
): Expectations | undefined {
  if (!isPlainObject(input)) {
    const problem = 'must be an object with files, contains, json, command or noChangesOutside';
    problems.add(at, input, problem);
    return undefined;
  }
  const before = problems.count();
  const { files, contains, json, command, noChangesOutside } = takeKeys(input, KEYS, at, problems);
  const expects = {
    files: readItems(files, [...at, 'files'], problems, readFiles),
    contains: readItems(contains, [...at, 'contains'], problems, readExpectedText),
    json: readJson(json, [...at, 'json'], problems, readSchema),
    command: readItems(command, [...at, 'command'], problems, readCommand),
    noChangesOutside: readItems(noChangesOutside, [...at, 'noChangesOutside'], problems, readGlob),
  };
  if (problems.count() === before) reportProviderProblems(expects, at, problems);
  return expects;
}

/** Reports expectations that the provider would refuse when the step runs, such as an invalid schema. */
function reportProviderProblems(expects: Expectations, at: PlanPath, problems: ProblemList): void {
  const given = Object.entries(expects).filter(([, value]) => value !== undefined);
  const { error } = expectationsSchema.safeParse(Object.fromEntries(given));
  for (const { path, message } of error?.issues ?? []) {
    const inside = path.map((part) => (typeof part === 'number' ? part : String(part)));
    problems.add([...at, ...inside], valueAt(expects, inside), message);
  }
}

/**
 * Reads the schema of the answer. Returns an empty schema for an invalid one: with undefined, references to the data of
 * the step would be reported as a second problem.
 */
function readJson(
  value: unknown,
  at: PlanPath,
  problems: ProblemList,
  readSchema: ReadSchema,
): AnswerSchema | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && isSchemaLike(value)) return value;
  if (isPlainObject(value)) return { ...value };
  if (typeof value !== 'string' || value === '') {
    problems.add(at, value, 'must be a JSON Schema, or the name of a file that holds one');
    return {};
  }
  const read = readSchema(value);
  if ('schema' in read) return read.schema;
  problems.add(at, value, read.problem);
  return {};
}
