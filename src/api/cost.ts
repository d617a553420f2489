/** Prices of one model in US dollars per million tokens. Thoughts cost as much as output, tokens of tool use as much as input. */
export interface ModelPrice {
  /** Price of the tokens of a prompt. */
  readonly input: number;
  /**
   * Price of the tokens of a prompt that came from the cache.
   *
   * @defaultValue the price of `input`
   */
  readonly cached?: number | undefined;
  /** Price of the tokens of answers and thoughts. */
  readonly output: number;
  /**
   * Prices of a request whose prompt has more tokens than `tokens`. They hold for the whole request.
   *
   * @defaultValue one price for all requests
   */
  readonly above?:
    | {
        readonly tokens: number;
        readonly input: number;
        readonly cached?: number | undefined;
        readonly output: number;
      }
    | undefined;
  /**
   * First day of these prices, such as `2027-01-01` (UTC).
   *
   * @defaultValue always
   */
  readonly from?: string | undefined;
}

/** Prices by the name of the model. Several prices of one model differ in `from`; the latest one that has begun holds. */
export type PriceTable = Readonly<Record<string, ModelPrice | readonly ModelPrice[]>>;

/**
 * Estimate of what tokens cost by the list prices of the Gemini API (standard tier, text). It is no bill: a free tier or a
 * login with Code Assist costs nothing, and a contract may have other prices.
 */
export interface CostEstimate {
  /**
   * US dollars for the models whose prices are known. Undefined if tokens were used and no price is known: the cost is
   * then unknown, and not zero.
   */
  readonly usd: number | undefined;
  /** US dollars by model. A model without a known price is not here. */
  readonly byModel: Readonly<Record<string, number>>;
  /** Models that were used and whose price is not known. Add them to `prices`. */
  readonly unknownModels: readonly string[];
  /** Day of the newest price in the built-in table, such as `2026-09-02`. */
  readonly tableDate: string;
  /**
   * True if the cost may be higher: a model has no known price, or a model has a higher price for large requests and the
   * size of single requests is not known.
   */
  readonly isLowerBound: boolean;
}

/** Options of `estimateCost`. */
export interface EstimateCostOptions {
  /**
   * Time whose prices are used.
   *
   * @defaultValue the time of each message; the present time for a usage
   */
  readonly at?: Date | undefined;
  /**
   * Prices that are added to the built-in table. A model that is in both has the price given here.
   *
   * @defaultValue the built-in table alone
   */
  readonly prices?: PriceTable | undefined;
  /**
   * Model of tokens that carry no model name.
   *
   * @defaultValue such tokens are listed under the unknown model `unknown`
   */
  readonly model?: string | undefined;
}
