import type { TokenCounts, Usage } from '../../api/result.js';
import { addTokenCounts, NO_TOKENS } from './token-counts.js';

export const NO_USAGE: Usage = {
  ...NO_TOKENS,
  models: {},
  toolCalls: 0,
};

/** Adds two usages, model by model. An unknown usage adds nothing. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  if (more === undefined) return sum;
  const models: Record<string, TokenCounts> = { ...sum.models };
  for (const [model, counts] of Object.entries(more.models)) {
    models[model] = addTokenCounts(models[model], counts);
  }
  return { ...addTokenCounts(sum, more), models, toolCalls: sum.toolCalls + more.toolCalls };
}

/** Adds all known usages. Undefined if none is known. */
export function sumUsage(all: readonly (Usage | undefined)[]): Usage | undefined {
  const known = all.filter((usage) => usage !== undefined);
  return known.length === 0 ? undefined : known.reduce(addUsage);
}
