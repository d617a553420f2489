import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBoundedGlob } from '../../base/fs/glob.js';
import { askThread } from '../../base/process/ask-thread.js';
import { isBoundedSchema, isSchemaLike } from '../../config/answer-schema.js';
import {
  type CheckedOutput,
  type CheckedOutputSubject,
  checkOutput,
  type OutputConditions,
} from './check-output.js';

/** Path of the bundled program, seen from `src/` and `.build/`. The build rewrites it for `dist/`. */
const CHECK_MAIN = fileURLToPath(new URL('../../../dist/check-output.js', import.meta.url));

export interface CheckRequest {
  readonly conditions: Omit<OutputConditions, 'json'>;
  /** JSON Schema as text. */
  readonly schema: string | undefined;
  readonly subject: CheckedOutputSubject;
}

export type CheckAnswer = { readonly checked: CheckedOutput } | { readonly problem: string };

/**
 * Checks the output of a step within its time. Conditions whose checks are quick for every output run here. The others, with
 * regular expressions or references, run in a thread that an abort ends: the model chooses the text that they are applied
 * to, and `^(a+)+$` needs hours for some. A schema with a `safeParse` method is code of the caller and always runs here.
 */
export async function checkOutputInTime(
  conditions: OutputConditions,
  subject: CheckedOutputSubject,
  signal: AbortSignal | undefined,
): Promise<CheckedOutput> {
  if (isQuick(conditions) || !existsSync(CHECK_MAIN)) return checkOutput(conditions, subject);
  const { json, ...others } = conditions;
  const { text, answers } = subject;
  const files = subject.files.map(({ path, kind, outsideWorkspace }) => {
    return { path, kind, outsideWorkspace };
  });
  const request: CheckRequest = {
    conditions: others,
    schema: json && JSON.stringify(json),
    subject: { text, answers, files },
  };
  const answer = await askThread(CHECK_MAIN, request, signal);
  if (isChecked(answer)) return answer.checked;
  throw new Error(`The output could not be checked: ${JSON.stringify(answer)}`);
}

function isQuick({ files, noChangesOutside = [], json }: OutputConditions): boolean {
  if (json !== undefined && isSchemaLike(json)) return true;
  const globs = files.map((one) => (typeof one === 'string' ? one : one.glob));
  const areBounded = [...globs, ...noChangesOutside].every(isBoundedGlob);
  return areBounded && (json === undefined || isBoundedSchema(json));
}

function isChecked(answer: unknown): answer is Extract<CheckAnswer, { checked: unknown }> {
  return typeof answer === 'object' && answer !== null && 'checked' in answer;
}
