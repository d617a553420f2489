import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { Usage } from '../../api/result.js';
import { toJsonObject } from './to-json.js';

/**
 * Maps token counts. The AI SDK counts thoughts as output, as the bill does; this package counts them apart. Counts are
 * undefined if the agent reported none.
 */
export function mapTokenUsage(usage: Usage | undefined): LanguageModelV3Usage {
  if (usage === undefined) {
    return {
      inputTokens: {
        total: undefined,
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  }
  const { input, output, cached, thoughts, tool } = usage;
  return {
    // Tokens of tools inside the API are billed as input.
    inputTokens: {
      total: input + tool,
      noCache: Math.max(0, input - cached) + tool,
      cacheRead: cached,
      cacheWrite: undefined,
    },
    outputTokens: { total: output + thoughts, text: output, reasoning: thoughts },
    raw: toJsonObject(usage),
  };
}
