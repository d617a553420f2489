import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult } from '../../api/result.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { StepResult } from '../ledger/ledger-entry.js';

/** Maps the result of an attempt to the result in the ledger, exactly as a later run reads it from there. */
export function toStepResult(result: GenerateResult, files: readonly ManifestFile[]): StepResult {
  const { text, model, generationId, sessionId, deniedTools, warnings, expectations } = result;
  const data = toJsonData(result);
  const known = { text, data, files, model, generationId, sessionId, deniedTools, warnings };
  return expectations === undefined ? known : { ...known, expectations };
}

/** Converts data to plain JSON values: a schema of the caller may have produced dates, maps or other objects. */
function toJsonData({ data, ...partial }: GenerateResult): unknown {
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
