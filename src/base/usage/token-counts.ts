import type { TokenCounts } from '../../api/result.js';

export const NO_TOKENS: TokenCounts = {
  total: 0,
  input: 0,
  output: 0,
  cached: 0,
  thoughts: 0,
  tool: 0,
};

/** Counts as an agent or an older version of this package reports them: a missing number counts as 0. */
export type ReportedCounts =
  | { readonly [Name in keyof TokenCounts]?: number | undefined }
  | null
  | undefined;

export function addTokenCounts(a: ReportedCounts, b: ReportedCounts): TokenCounts {
  return combineCounts(a, b, (one, other) => one + other);
}

/** Subtracts counts. A difference below 0 counts as 0: the two sides were counted at different times. */
export function subtractTokenCounts(from: ReportedCounts, known: ReportedCounts): TokenCounts {
  return combineCounts(from, known, (one, other) => Math.max(0, one - other));
}

export function sumTokenCounts(all: readonly ReportedCounts[]): TokenCounts {
  return all.reduce<TokenCounts>(addTokenCounts, NO_TOKENS);
}

function combineCounts(
  a: ReportedCounts,
  b: ReportedCounts,
  combine: (one: number, other: number) => number,
): TokenCounts {
  return {
    total: combine(a?.total ?? 0, b?.total ?? 0),
    input: combine(a?.input ?? 0, b?.input ?? 0),
    output: combine(a?.output ?? 0, b?.output ?? 0),
    cached: combine(a?.cached ?? 0, b?.cached ?? 0),
    thoughts: combine(a?.thoughts ?? 0, b?.thoughts ?? 0),
    tool: combine(a?.tool ?? 0, b?.tool ?? 0),
  };
}
