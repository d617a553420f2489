import type { CostEstimate } from '../../api/cost.js';

/** Adds all known costs, model by model. Undefined if none is known. */
export function sumCosts(all: readonly (CostEstimate | undefined)[]): CostEstimate | undefined {
  const known = all.filter((cost) => cost !== undefined);
  return known.length === 0 ? undefined : known.reduce(addCosts);
}

function addCosts(one: CostEstimate, other: CostEstimate): CostEstimate {
  const byModel: Record<string, number> = { ...one.byModel };
  for (const [model, usd] of Object.entries(other.byModel)) {
    byModel[model] = roundUsd((byModel[model] ?? 0) + usd);
  }
  const unknownModels = [...new Set([...one.unknownModels, ...other.unknownModels])];
  const isUnknown = unknownModels.length > 0 && Object.keys(byModel).length === 0;
  return {
    usd: isUnknown ? undefined : roundUsd((one.usd ?? 0) + (other.usd ?? 0)),
    byModel,
    unknownModels,
    tableDate: one.tableDate > other.tableDate ? one.tableDate : other.tableDate,
    isLowerBound: one.isLowerBound || other.isLowerBound,
  };
}

/** Removes the noise of binary fractions: a billionth of a dollar is less than any token costs. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
