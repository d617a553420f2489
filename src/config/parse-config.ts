import type { GenerateOptions } from '../api/generate-options.js';
import type { ProviderConfig } from '../api/provider-config.js';
import { readInput } from '../base/errors/invalid-input.js';
import { acceptConfig } from './accept-config.js';
import { splitOptions } from './split-options.js';

/**
 * Checks a configuration that no compiler has checked, such as one from a YAML file, and returns it with its type. Keys
 * are camelCase afterwards; unknown keys and `null` are gone. Throws INVALID_CONFIG with every problem at once.
 */
export function parseConfig(input: unknown): ProviderConfig {
  return acceptConfig(input, {}, 'gemini').values;
}

/** Checks options of one step that no compiler has checked and returns them with their type. Throws INVALID_CONFIG. */
export function parseGenerateOptions(input: unknown): GenerateOptions {
  const { signal, overrides } = readInput('options', () => splitOptions(input), 'INVALID_CONFIG');
  return { ...parseConfig(overrides), ...(signal === undefined ? {} : { signal }) };
}
