import type { EvaluatedTurn } from '../agents/evaluate-turn.js';
import { fail } from '../agents/verdict/create-failure.js';
import type { Failure } from '../agents/verdict/verdict.js';
import type { CostEstimate } from '../api/cost.js';
import type { StepOutput, Usage } from '../api/result.js';
import { describeCost, formatUsd } from '../base/usage/describe-cost.js';
import { estimateRequests, type RequestTokens } from '../base/usage/estimate-cost.js';
import type { ResolvedConfig } from '../config/resolve-config.js';

type CostConfig = Pick<ResolvedConfig, 'prices' | 'model'>;

/** Estimates the cost of a usage. Requests of the session file get the price of their size and time. */
export function estimateStepCost(
  usage: Usage | undefined,
  requests: readonly RequestTokens[],
  { prices, model }: CostConfig,
): CostEstimate | undefined {
  return usage && estimateRequests(requests, usage, { prices, model });
}

/** Adds the estimate of the cost to the output of a step that has a usage. */
export function addStepCost(
  output: StepOutput,
  turns: readonly Pick<EvaluatedTurn, 'requests'>[],
  config: CostConfig,
): StepOutput {
  const requests = turns.flatMap((turn) => turn.requests);
  const model = output.model ?? config.model;
  const cost = estimateStepCost(output.usage, requests, { prices: config.prices, model });
  return cost === undefined ? output : { ...output, cost };
}

/**
 * Compares the cost of a step with `maxCost`, before a repair. Returns a failure if a price is not known, and a sentence if
 * the limit is reached.
 */
export function checkMaxCost(
  cost: CostEstimate | undefined,
  maxCost: number | undefined,
): Failure | string | undefined {
  if (maxCost === undefined || cost === undefined) return undefined;
  if ((cost.usd ?? 0) >= maxCost) {
    return `the step has cost ${describeCost(cost)}; maxCost is ${formatUsd(maxCost)}`;
  }
  if (cost.unknownModels.length === 0) return undefined;
  const models = cost.unknownModels.join(', ');
  return {
    ...fail('INVALID_CONFIG', `maxCost cannot be checked before a repair: no price of ${models}`),
    hint: `Add ${models} to \`prices\` (US dollars per million tokens), or leave maxCost out.`,
  };
}
