import type { GenerateResult } from '../../api/result.js';
import { cleanName, cleanText } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import type { Paint } from '../output/output.js';

/** Describes the result of a job: the answer, and below it what was changed in the folder, if one was given. */
export function describeJobResult(
  { text, files, warnings }: GenerateResult,
  applyTo: string | undefined,
  paint: Paint,
): string[] {
  const answer = cleanText(text).trimEnd();
  if (applyTo === undefined) {
    if (files.length === 0) return [answer];
    const left = `${countOf(files.length, 'file')} in the manifest. --apply-to DIR makes the changes of a shipped folder`;
    return [answer, paint.dim(left)];
  }
  return [
    answer,
    ...files.map(({ kind, path }) => `${paint.green('✓')} ${kind} ${cleanName(path)}`),
    ...warnings.map(({ message }) => `${paint.yellow('!')} ${cleanName(message)}`),
  ];
}
