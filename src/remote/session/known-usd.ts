import type { CostEstimate } from '../../api/cost.js';

/** Returns the estimated cost if the prices of all models are known. */
export function knownUsd(cost: CostEstimate | undefined): number | undefined {
  return cost === undefined || cost.unknownModels.length > 0 ? undefined : cost.usd;
}
