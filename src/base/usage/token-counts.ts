import type { TokenCounts } from '../../api/result.js';

export const NO_TOKENS: TokenCounts = { total: 0, input: 0, output: 0, cached: 0 };

/** Counts as an agent reports them: a missing number counts as 0. */
type ReportedCounts =
  | { readonly [Name in keyof TokenCounts]?: number | undefined }
  | null
  | undefined;

export function addTokenCounts(a: ReportedCounts, b: ReportedCounts): TokenCounts {
  return {
    total: (a?.total ?? 0) + (b?.total ?? 0),
    input: (a?.input ?? 0) + (b?.input ?? 0),
    output: (a?.output ?? 0) + (b?.output ?? 0),
    cached: (a?.cached ?? 0) + (b?.cached ?? 0),
  };
}

export function sumTokenCounts(all: readonly ReportedCounts[]): TokenCounts {
  return all.reduce<TokenCounts>(addTokenCounts, NO_TOKENS);
}
