import type { Logger } from '../api/logger.js';
import { nearestConfigKey } from './key-spelling.js';

/** Warns of unknown keys, which are most likely typing errors. An unknown key never stops a step. */
export function warnOfUnknownKeys(keys: readonly string[], logger: Logger): void {
  for (const key of keys) {
    const nearest = nearestConfigKey(key);
    const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    const message = `Unknown configuration key "${key}" is ignored.${suggestion}`;
    logger.warn({ key, nearest }, message);
    process.emitWarning(message, {
      type: 'GeminiCliProviderWarning',
      code: 'GEMINI_CLI_PROVIDER_UNKNOWN_KEY',
    });
  }
}
