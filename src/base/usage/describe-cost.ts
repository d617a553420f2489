import type { CostEstimate } from '../../api/cost.js';

const SMALLEST_SHOWN = 0.0001;

/** Formats US dollars: two decimals from one dollar on, four below. */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < SMALLEST_SHOWN) return `< $${SMALLEST_SHOWN}`;
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`;
}

/** Describes an estimate in a few words, such as `about $0.0123 (list price)`. */
export function describeCost({ usd, isLowerBound, unknownModels }: CostEstimate): string {
  if (usd === undefined) return `cost unknown (no price of ${unknownModels.join(', ')})`;
  return `${isLowerBound ? 'at least' : 'about'} ${formatUsd(usd)} (list price)`;
}

/** Describes an estimate for a narrow column: `$0.0123`, `≥ $0.0123`, or `$?` without a known price. */
export function describeCostShortly({ usd, isLowerBound }: CostEstimate): string {
  if (usd === undefined) return '$?';
  return isLowerBound ? `≥ ${formatUsd(usd)}` : formatUsd(usd);
}
