import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { CostEstimate, PriceTable } from '../../api/cost.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { StepOutput } from '../../api/result.js';
import { estimateCost } from '../../base/usage/estimate-cost.js';
import { findUnpricedModels } from '../../base/usage/find-price.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { normaliseKeys, resolveConfig } from '../../config/resolve-config.js';
import type { ParsedLimits } from '../plan/plan-schema.js';

/** Tokens and cost of an attempt, which count against the limits of the batch. */
export interface AttemptSpending {
  readonly tokens: number;
  readonly cost?: CostEstimate | undefined;
}

export const NOTHING_SPENT: AttemptSpending = { tokens: 0 };

/** Returns what an attempt has spent. A provider that estimates no cost leaves that to the batch. */
export function spendingOf(
  output: Partial<Pick<StepOutput, 'usage' | 'cost' | 'model'>> | undefined,
  step: PlannedStep,
  config: ProviderConfig | undefined,
): AttemptSpending {
  const { usage, cost, model } = output ?? {};
  if (usage === undefined) return { ...NOTHING_SPENT, ...(cost && { cost }) };
  const prices = pricesOf(step, config);
  return { tokens: usage.total, cost: cost ?? estimateCost(usage, { prices, model }) };
}

/** Throws INVALID_CONFIG if `maxCost` limits a batch with a model whose price is not known. */
export function assertPriced(
  plan: ExpandedPlan,
  { maxCost }: ParsedLimits,
  config: ProviderConfig | undefined,
): void {
  if (maxCost === undefined) return;
  const outside = normaliseKeys(config ?? {}).values['model'];
  const unpriced = new Set(
    plan.steps.flatMap((step) => {
      const models = [step.config['model'] ?? outside, ...(step.fallbackModels ?? [])];
      const named = models.filter((model) => typeof model === 'string');
      return findUnpricedModels(named, pricesOf(step, config));
    }),
  );
  if (unpriced.size === 0) return;
  const problem = 'has no known price, which maxCost needs: add it to prices';
  throw invalidConfig([...unpriced].map((model) => toProblem(['model'], model, problem)));
}

/** Returns the prices of a step. The values were checked with the plan. */
function pricesOf(step: PlannedStep, config: ProviderConfig = {}): PriceTable | undefined {
  const prices = step.config['prices'] ?? normaliseKeys(config).values['prices'];
  return prices === undefined ? undefined : resolveConfig({ prices }).prices;
}
