import type { AnswerSchema, ExpectedFiles, MissingExpectation } from '../../api/expectations.js';
import type { ManifestFile } from '../../api/manifest.js';
import { checkContains, checkJsonAnswer } from './check-answer.js';
import { checkFiles, checkNoChangesOutside } from './check-files.js';

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
  /** JSON of the answer, if it was expected and found. */
  readonly data?: unknown;
}

/** Checks text and file names. The time depends on globs, schema and answer, and can be very long for hostile ones. */
export function checkOutput(
  { files, contains, noChangesOutside, json }: OutputConditions,
  subject: CheckedOutputSubject,
): CheckedOutput {
  const missing: MissingExpectation[] = [
    ...checkFiles(files, subject.files),
    ...checkContains(contains, subject.text),
  ];
  if (noChangesOutside !== undefined) {
    missing.push(...checkNoChangesOutside(noChangesOutside, subject.files));
  }
  if (json === undefined) return { missing };
  const answer = checkJsonAnswer(json, subject.answers);
  return { missing: [...missing, ...answer.missing], data: answer.data };
}
