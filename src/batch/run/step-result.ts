import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult } from '../../api/result.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { StepResult } from '../ledger/ledger-entry.js';

/** What a step has come to, the same now as when a later run reads it from the ledger. */
export function toStepResult(result: GenerateResult, files: readonly ManifestFile[]): StepResult {
  const { text, model, generationId, sessionId, deniedTools, warnings } = result;
  const data = toJsonData(result);
  return { text, data, files, model, generationId, sessionId, deniedTools, warnings };
}

/** A schema of the caller's own may make dates, maps or anything else of an answer. */
function toJsonData({ data, ...partial }: GenerateResult): unknown {
  if (data === undefined) return undefined;
  try {
    const text: string | undefined = JSON.stringify(data);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The data of the answer cannot be written down as JSON: ${messageOf(cause)}`,
      hint: 'Let the schema in `expects.json` give what JSON can hold.',
      cause,
      generationId: partial.generationId,
      partial,
    });
  }
}
