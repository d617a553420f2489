import type { TokenCounts, Usage } from '../../api/result.js';

export const NO_USAGE: Usage = {
  total: 0,
  input: 0,
  output: 0,
  cached: 0,
  models: {},
  toolCalls: 0,
};

export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  if (more === undefined) return sum;
  const models: Record<string, TokenCounts> = { ...sum.models };
  for (const [model, counts] of Object.entries(more.models)) {
    const known = models[model];
    models[model] = known === undefined ? counts : addCounts(known, counts);
  }
  return { ...addCounts(sum, more), models, toolCalls: sum.toolCalls + more.toolCalls };
}

/** Undefined where nothing is known of any of them. */
export function sumUsage(all: readonly (Usage | undefined)[]): Usage | undefined {
  const known = all.filter((usage) => usage !== undefined);
  return known.length === 0 ? undefined : known.reduce(addUsage);
}

function addCounts(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    total: a.total + b.total,
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
  };
}
