import type { TokenCounts } from '../../api/result.js';
import { isObject } from '../../base/json/is-object.js';

/** Reads token counts with the names of the protocol's draft. Returns undefined if there are none. */
export function readTokenCounts(usage: unknown): TokenCounts | undefined {
  if (!isObject(usage)) return undefined;
  const find = (...names: string[]): number | undefined => {
    const value = names.map((name) => usage[name]).find((given) => typeof given === 'number');
    return typeof value === 'number' ? value : undefined;
  };
  const input = find('inputTokens', 'input_tokens');
  const output = find('outputTokens', 'output_tokens');
  const total = find('totalTokens', 'total_tokens');
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const thoughts = find('thoughtTokens', 'thought_tokens') ?? 0;
  return {
    total: total || (input ?? 0) + (output ?? 0) + thoughts,
    input: input ?? 0,
    output: output ?? 0,
    cached: find('cachedReadTokens', 'cached_read_tokens') ?? 0,
    thoughts,
    tool: 0,
  };
}
