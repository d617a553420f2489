import type { TokenCounts } from '../../api/result.js';
import type { SessionMessage } from '../../api/session.js';

export const NO_TOKENS: TokenCounts = { total: 0, input: 0, output: 0, cached: 0 };

export function addTokens(sum: TokenCounts, { tokens }: SessionMessage): TokenCounts {
  return {
    total: sum.total + (tokens?.total ?? 0),
    input: sum.input + (tokens?.input ?? 0),
    output: sum.output + (tokens?.output ?? 0),
    cached: sum.cached + (tokens?.cached ?? 0),
  };
}

export function sumTokens(messages: readonly SessionMessage[]): TokenCounts {
  return messages.reduce(addTokens, NO_TOKENS);
}
