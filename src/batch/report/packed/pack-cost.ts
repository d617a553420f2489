import type { CostEstimate } from '../../../api/cost.js';
import type { Usage } from '../../../api/result.js';

/** Cost of an attempt with one model and a known price: the US dollars alone. Any other cost is as it is. */
export type PackedCost = number | CostEstimate;

/** Packs the cost of an attempt. */
export function packCost(
  cost: CostEstimate | undefined,
  usage: Usage | undefined,
): PackedCost | undefined {
  if (cost?.usd === undefined || cost.isLowerBound) return cost;
  const [model, ...others] = Object.keys(usage?.models ?? {});
  const isOfOneModel = model !== undefined && others.length === 0;
  return isOfOneModel && cost.byModel[model] === cost.usd ? cost.usd : cost;
}

/** Restores the cost of an attempt. `tableDate` is that of the cost of the batch. Runs in the browser. */
export function unpackCost(
  packed: PackedCost | undefined,
  usage: Usage | undefined,
  tableDate: string,
): CostEstimate | undefined {
  if (typeof packed !== 'number') return packed;
  const byModel = Object.fromEntries(
    Object.keys(usage?.models ?? {}).map((model) => [model, packed]),
  );
  return { usd: packed, byModel, unknownModels: [], tableDate, isLowerBound: false };
}
