import type { CostEstimate, EstimateCostOptions, ModelPrice } from '../../api/cost.js';
import type { TokenCounts, Usage } from '../../api/result.js';
import type { SessionMessage } from '../../api/session.js';
import { invalidInput, readInput } from '../errors/invalid-input.js';
import { isObject } from '../json/is-object.js';
import { roundUsd } from './add-costs.js';
import { findPrice } from './find-price.js';
import { PRICES_DATE } from './list-prices.js';
import {
  addTokenCounts,
  type ReportedCounts,
  subtractTokenCounts,
  sumTokenCounts,
} from './token-counts.js';

/** Tokens of one request to a model, as a session file has them. */
export type RequestTokens = Pick<SessionMessage, 'model' | 'tokens' | 'timestamp'>;

/** Name under which tokens without a model are listed. */
const UNNAMED_MODEL = 'unknown';
const MILLION = 1_000_000;

/**
 * Estimates the cost of tokens by list prices. Takes a usage, or the messages of a session: each message is one request,
 * so large requests get their higher price. A usage is a sum over requests and gets the lower price.
 */
export function estimateCost(
  tokens: Usage | readonly SessionMessage[],
  options: EstimateCostOptions = {},
): CostEstimate {
  return readInput('tokens', () => {
    if (!isObject(options)) throw invalidInput('options', 'an object', options);
    if (isMessages(tokens)) return estimateRequests(tokens, undefined, options);
    if (!isObject(tokens)) throw invalidInput('tokens', 'a usage or a list of messages', tokens);
    return estimateRequests([], tokens, options);
  });
}

/**
 * Estimates the cost of a usage whose requests are known in part. Requests that the usage does not count are left out;
 * tokens that no request explains get the lower price.
 */
export function estimateRequests(
  requests: readonly RequestTokens[],
  usage: Usage | undefined,
  { at, prices, model: fallback }: EstimateCostOptions,
): CostEstimate {
  const sum = new CostSum();
  const explained = new Map<string, TokenCounts>();
  for (const { model = fallback ?? UNNAMED_MODEL, tokens, timestamp } of requests) {
    if (tokens === undefined || tokens === null) continue;
    const atMs = at?.getTime() ?? Date.parse(timestamp ?? '');
    const price = findPrice(model, Number.isNaN(atMs) ? Date.now() : atMs, prices);
    sum.add(model, tokens, price, true);
    explained.set(model, addTokenCounts(explained.get(model), tokens));
  }
  for (const [model, counts] of countsOf(usage, fallback)) {
    const rest = subtractTokenCounts(counts, explained.get(model));
    sum.add(model, rest, findPrice(model, at?.getTime() ?? Date.now(), prices), false);
  }
  return sum.estimate;
}

/** Returns the tokens of a usage by model, and those without a model under the name of the fallback. */
function countsOf(
  usage: Usage | undefined,
  fallback: string | undefined,
): ReadonlyMap<string, TokenCounts> {
  const counts = new Map(
    Object.entries(usage?.models ?? {}).map(([model, ofModel]) => [model, withThoughts(ofModel)]),
  );
  const rest = subtractTokenCounts(withThoughts(usage), sumTokenCounts([...counts.values()]));
  const [only] = counts.size === 1 ? counts.keys() : [];
  const name = only ?? fallback ?? UNNAMED_MODEL;
  if (isUsed(rest)) counts.set(name, addTokenCounts(counts.get(name), rest));
  return counts;
}

/** Sum of priced tokens. */
class CostSum {
  readonly #byModel = new Map<string, number>();
  readonly #unknown = new Set<string>();
  #isLowerBound = false;

  add(
    model: string,
    counts: NonNullable<ReportedCounts>,
    price: ModelPrice | undefined,
    isOneRequest: boolean,
  ): void {
    const tokens = withThoughts(counts);
    if (!isUsed(tokens)) return;
    if (price === undefined) {
      this.#unknown.add(model);
      return;
    }
    const { above } = price;
    const large =
      above !== undefined && tokens.input + tokens.tool > above.tokens ? above : undefined;
    if (large !== undefined && !isOneRequest) this.#isLowerBound = true;
    const usd = priceOf(tokens, isOneRequest ? (large ?? price) : price);
    this.#byModel.set(model, (this.#byModel.get(model) ?? 0) + usd);
  }

  get estimate(): CostEstimate {
    const known = [...this.#byModel.values()];
    const isUnknown = known.length === 0 && this.#unknown.size > 0;
    return {
      usd: isUnknown ? undefined : roundUsd(known.reduce((sum, usd) => sum + usd, 0)),
      byModel: Object.fromEntries(
        [...this.#byModel].map(([model, usd]) => [model, roundUsd(usd)] as const),
      ),
      unknownModels: [...this.#unknown],
      tableDate: PRICES_DATE,
      isLowerBound: this.#isLowerBound || this.#unknown.size > 0,
    };
  }
}

function priceOf(
  tokens: TokenCounts,
  price: Pick<ModelPrice, 'input' | 'cached' | 'output'>,
): number {
  const cached = Math.min(tokens.cached, tokens.input);
  return (
    ((tokens.input - cached + tokens.tool) * price.input +
      cached * (price.cached ?? price.input) +
      (tokens.output + tokens.thoughts) * price.output) /
    MILLION
  );
}

/** Completes counts of an older version, in which thoughts are part of the total alone. */
function withThoughts(reported: ReportedCounts): TokenCounts {
  const counts = addTokenCounts(undefined, reported);
  if (reported?.thoughts !== undefined) return counts;
  const { total, input, output, tool } = counts;
  return { ...counts, thoughts: Math.max(0, total - input - output - tool) };
}

function isUsed({ total, input, output, thoughts, tool }: TokenCounts): boolean {
  return total + input + output + thoughts + tool > 0;
}

function isMessages(
  tokens: Usage | readonly SessionMessage[],
): tokens is readonly SessionMessage[] {
  return Array.isArray(tokens);
}
