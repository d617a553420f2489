import type {
  AnswerSchema,
  ExpectationReport,
  ExpectedFiles,
  MissingExpectation,
} from '../../api/expectations.js';
import type { ManifestFile } from '../../api/manifest.js';
import { checkContains, checkJsonAnswer } from './check-answer.js';
import { checkFiles, checkNoChangesOutside } from './check-files.js';
import { ConditionResults } from './condition-results.js';

/** Conditions on the output of a step: on its text and on the names of its files. */
export interface OutputConditions {
  readonly files: readonly (string | ExpectedFiles)[];
  readonly contains: readonly string[];
  readonly noChangesOutside: readonly string[] | undefined;
  readonly json: AnswerSchema | undefined;
}

export interface CheckedOutputSubject {
  readonly text: string;
  /** Answer of each turn. JSON is searched from the last answer backwards. */
  readonly answers: readonly string[];
  readonly files: readonly Pick<ManifestFile, 'path' | 'kind' | 'outsideWorkspace'>[];
}

export interface CheckedOutput {
  readonly missing: readonly MissingExpectation[];
  /** Results of all conditions, met or not. */
  readonly results: readonly ExpectationReport[];
  /** JSON of the answer, if it was expected and found. */
  readonly data?: unknown;
}

/** Checks text and file names. The time depends on globs, schema and answer, and can be very long for hostile ones. */
export function checkOutput(
  { files, contains, noChangesOutside, json }: OutputConditions,
  subject: CheckedOutputSubject,
): CheckedOutput {
  const checks = new ConditionResults();
  for (const one of files) {
    const glob = typeof one === 'string' ? one : one.glob;
    checks.add('files', glob, checkFiles([one], subject.files));
  }
  for (const text of contains) checks.add('contains', text, checkContains([text], subject.text));
  if (noChangesOutside !== undefined) {
    const found = checkNoChangesOutside(noChangesOutside, subject.files);
    checks.add('noChangesOutside', noChangesOutside.join(', '), found);
  }
  const { missing, results } = checks;
  if (json === undefined) return { missing, results };
  const answer = checkJsonAnswer(json, subject.answers);
  checks.add('json', 'schema of the answer', answer.missing);
  return { missing, results, data: answer.data };
}
