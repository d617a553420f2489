import type { Attributes } from '@opentelemetry/api';
import type { CostEstimate } from '../api/cost.js';
import type { TokenCounts, Usage } from '../api/result.js';
import type { Instruments } from './instruments.js';

/** Returns the tokens of a step as attributes of its span. Thoughts are billed as output, tokens of tool use as input. */
export function describeTokens(usage: TokenCounts): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.input + usage.tool,
    'gen_ai.usage.output_tokens': usage.output + usage.thoughts,
    'gen_ai.usage.cache_read.input_tokens': usage.cached,
    'gen_ai.usage.reasoning.output_tokens': usage.thoughts,
  };
}

/** Returns the estimate of the cost as attributes. A cost that is not known has none, and is not 0. */
export function describeSpending(cost: CostEstimate | undefined): Attributes {
  if (cost?.usd === undefined) return {};
  return {
    'gemini_cli_provider.cost.usd': cost.usd,
    'gemini_cli_provider.cost.is_lower_bound': cost.isLowerBound,
  };
}

/** Counts tokens and cost by model. */
export function countUsage(
  { tokenUsage, tokens, cost }: Instruments,
  { usage, estimate }: { readonly usage: Usage; readonly estimate: CostEstimate | undefined },
  base: Attributes,
): void {
  for (const [model, counts] of Object.entries(usage.models)) {
    const attributes = { ...base, 'gen_ai.response.model': model };
    const billable = { input: counts.input + counts.tool, output: counts.output + counts.thoughts };
    for (const [type, count] of Object.entries(billable))
      tokenUsage.record(count, { ...attributes, 'gen_ai.token.type': type });
    for (const [type, count] of Object.entries(splitTokens(counts)))
      if (count > 0) tokens.add(count, { ...attributes, 'gemini_cli_provider.token.type': type });
  }
  for (const [model, usd] of Object.entries(estimate?.byModel ?? {}))
    if (usd > 0) cost.add(usd, { ...base, 'gen_ai.response.model': model });
}

/** Splits tokens into types that do not overlap. */
function splitTokens({ input, cached, output, thoughts, tool }: TokenCounts) {
  return { input: Math.max(0, input - cached), cached, output, thoughts, tool };
}
