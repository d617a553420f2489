import type { ModelPrice, PriceTable } from '../../api/cost.js';
import { describeValue } from '../errors/invalid-input.js';
import { ProviderError } from '../errors/provider-error.js';
import { LIST_PRICES } from './list-prices.js';

/** Names that the CLI replaces by a model of its choice, so their price is known only when the step has run. */
const MODEL_ALIASES: ReadonlySet<string> = new Set([
  'auto',
  'pro',
  'flash',
  'flash-lite',
  'auto-gemini-3',
  'auto-gemini-2.5',
]);

/** Finds the price of a model at a time. The caller's table wins. Undefined if no table has the model. */
export function findPrice(
  model: string,
  atMs: number,
  prices: PriceTable | undefined,
): ModelPrice | undefined {
  const name = model.replace(/^models\//, '');
  const known = ownEntry(prices, model) ?? ownEntry(prices, name) ?? ownEntry(LIST_PRICES, name);
  if (known === undefined) return undefined;
  const begun = [known].flat().filter(({ from }) => beginOf(from, model) <= atMs);
  const price = begun.reduce<ModelPrice | undefined>((latest, next) => {
    return beginOf(next.from, model) >= beginOf(latest?.from, model) ? next : latest;
  }, begun[0]);
  if (price !== undefined) assertPrice(price, model);
  return price;
}

/** Returns the configured models whose price is unknown. A name that the CLI resolves itself is left out. */
export function findUnpricedModels(
  models: readonly (string | undefined)[],
  prices: PriceTable | undefined,
): readonly string[] {
  const named = new Set(models.filter((model) => model !== undefined));
  return [...named].filter((model) => {
    return !MODEL_ALIASES.has(model) && findPrice(model, Date.now(), prices) === undefined;
  });
}

function ownEntry<Entry>(
  table: Readonly<Record<string, Entry>> | undefined,
  name: string,
): Entry | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function beginOf(from: string | undefined, model: string): number {
  if (from === undefined) return Number.NEGATIVE_INFINITY;
  const beginMs = Date.parse(from);
  if (Number.isNaN(beginMs)) throw wrongPrice(model, 'from', 'a day such as "2027-01-01"', from);
  return beginMs;
}

function assertPrice({ input, cached = input, output, above }: ModelPrice, model: string): void {
  const numbers = {
    input,
    cached,
    output,
    ...(above && {
      'above.tokens': above.tokens,
      'above.input': above.input,
      'above.cached': above.cached ?? above.input,
      'above.output': above.output,
    }),
  };
  for (const [key, value] of Object.entries(numbers)) {
    if (!(Number.isFinite(value) && value >= 0))
      throw wrongPrice(model, key, 'a number, 0 or more', value);
  }
}

function wrongPrice(model: string, key: string, wanted: string, value: unknown): ProviderError {
  const name = `prices[${JSON.stringify(model)}].${key}`;
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${name} must be ${wanted}, not ${describeValue(value)}`,
    hint: `Correct the price of ${model} in \`prices\`: US dollars per million tokens.`,
  });
}
