import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult } from '../../api/result.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { AttemptResult, StepResult } from '../ledger/ledger-entry.js';

/** Maps the result of a provider to the part that the ledger stores, exactly as a later run reads it from there. */
export function toAttemptResult({
  filesWritten: _written,
  context: _context,
  ...result
}: GenerateResult): AttemptResult {
  return { ...result, data: toJsonData(result) };
}

/** Maps the result of an attempt to the result of its step. */
export function toStepResult(result: AttemptResult, files: readonly ManifestFile[]): StepResult {
  const { text, data, model, generationId, sessionId, deniedTools, warnings, expectations } =
    result;
  const known = { text, data, files, model, generationId, sessionId, deniedTools, warnings };
  return expectations === undefined ? known : { ...known, expectations };
}

/** Converts data to plain JSON values: a schema of the caller may have produced dates, maps or other objects. */
function toJsonData({ data, ...partial }: AttemptResult): unknown {
  if (data === undefined) return undefined;
  try {
    const text: string | undefined = JSON.stringify(data);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The data of the answer cannot be written as JSON: ${messageOf(cause)}`,
      hint: 'Change the schema in `expects.json` so that its output contains JSON values only.',
      cause,
      generationId: partial.generationId,
      partial,
    });
  }
}
