import { z } from 'zod';

const PRICE = 'must be a number of US dollars per million tokens, 0 or more';
const price = z.number(PRICE).min(0, PRICE);
const tierPrices = { input: price, cached: price.optional(), output: price };
const DAY = 'must be a day such as "2027-01-01"';

const modelPrice = z.strictObject({
  ...tierPrices,
  above: z
    .strictObject({ tokens: z.int('must be a whole number of tokens').min(1), ...tierPrices })
    .optional(),
  from: z
    .string(DAY)
    .regex(/^\d{4}-\d{2}-\d{2}$/, DAY)
    .refine((day) => !Number.isNaN(Date.parse(day)), DAY)
    .optional(),
});

/** Schema of a table of prices: one price per model, or several with their first days. */
export const pricesSchema = z.record(
  z.string().min(1),
  z.union([modelPrice, z.array(modelPrice).min(1)], {
    error:
      'must have a price of prompts and one of answers (US dollars per million tokens), or be a list',
  }),
  { error: 'must map names of models to prices' },
);

const COST = 'must be a number of US dollars above 0';
/** Schema of a limit in US dollars. */
export const maxCostField = z.number(COST).positive(COST);
