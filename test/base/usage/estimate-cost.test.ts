import { describe, expect, it } from 'vitest';
import type { TokenCounts, Usage } from '../../../src/api/result.js';
import type { SessionMessage } from '../../../src/api/session.js';
import { sumCosts } from '../../../src/base/usage/add-costs.js';
import { estimateCost, estimateRequests } from '../../../src/base/usage/estimate-cost.js';
import { LIST_PRICES, PRICES_DATE } from '../../../src/base/usage/list-prices.js';
import { NO_TOKENS, sumTokenCounts } from '../../../src/base/usage/token-counts.js';

const MILLION = 1_000_000;
const IN_2026 = new Date('2026-11-18T00:00:00Z');

const usageOf = (models: Record<string, Partial<TokenCounts>>): Usage => {
  const all = Object.fromEntries(
    Object.entries(models).map(([model, counts]) => [model, { ...NO_TOKENS, ...counts }] as const),
  );
  return { ...sumTokenCounts(Object.values(all)), models: all, toolCalls: 0 };
};
const request = (model: string, tokens: Partial<TokenCounts>, timestamp?: string) => {
  return { id: 'x', type: 'gemini', model, tokens, timestamp } satisfies SessionMessage;
};

describe('the cost of a usage', () => {
  it('counts cached tokens at their own price, thoughts as output and tool use as input', () => {
    const tokens = { input: 1000, cached: 400, output: 20, thoughts: 500, tool: 100 };
    // (600 + 100) * 0.30 + 400 * 0.03 + 520 * 2.50, per million.
    expect(estimateCost(usageOf({ 'gemini-2.5-flash': tokens }))).toEqual({
      usd: 0.001522,
      byModel: { 'gemini-2.5-flash': 0.001522 },
      unknownModels: [],
      tableDate: PRICES_DATE,
      isLowerBound: false,
    });
  });

  it('takes thoughts from the total of an older usage, which does not name them', () => {
    const old = { total: 1520, input: 1000, output: 20, cached: 0 };
    const usage: unknown = { ...old, models: { 'gemini-2.5-flash': old }, toolCalls: 0 };
    const expected = (1000 * 0.3 + 520 * 2.5) / MILLION;
    // @ts-expect-error A ledger of an older version has such a usage.
    expect(estimateCost(usage).usd).toBeCloseTo(expected, 9);
  });

  it.each([
    ['2026-12-31T23:59:59Z', 0.75],
    ['2027-01-01T00:00:00Z', 1.5],
  ])('uses the price of the day %s', (at, usd) => {
    for (const model of ['gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-3.8-flash']) {
      const usage = usageOf({ [model]: { input: MILLION } });
      expect(estimateCost(usage, { at: new Date(at) }).usd).toBe(usd);
    }
  });

  it('lists models without a price and never counts them as 0', () => {
    const mine = usageOf({ mine: { input: 5 } });
    expect(estimateCost(mine)).toMatchObject({
      usd: undefined,
      byModel: {},
      unknownModels: ['mine'],
      isLowerBound: true,
    });
    const both = usageOf({ mine: { input: 5 }, 'gemini-2.5-flash': { input: MILLION } });
    expect(estimateCost(both)).toMatchObject({
      usd: 0.3,
      byModel: { 'gemini-2.5-flash': 0.3 },
      unknownModels: ['mine'],
      isLowerBound: true,
    });
  });

  it('is 0 without tokens', () => {
    expect(estimateCost(usageOf({ mine: {} }))).toMatchObject({ usd: 0, unknownModels: [] });
  });

  it('gives tokens without a model to the only model, to the model that was asked for, or to none', () => {
    const tokens = { ...NO_TOKENS, input: MILLION };
    const nameless: Usage = { ...tokens, models: {}, toolCalls: 0 };
    expect(estimateCost(nameless).unknownModels).toEqual(['unknown']);
    expect(estimateCost(nameless, { model: 'gemini-2.5-flash' }).usd).toBe(0.3);
    const part = { ...usageOf({ 'gemini-2.5-flash': { input: 500_000 } }), ...tokens };
    expect(estimateCost(part).byModel).toEqual({ 'gemini-2.5-flash': 0.3 });
  });

  it('prefers the prices of the caller, entry by entry, with their dates', () => {
    const prices = {
      mine: { input: 1, output: 2 },
      'gemini-2.5-flash': [
        { input: 10, output: 0 },
        { input: 20, output: 0, from: '2026-06-01' },
      ],
    };
    const usage = usageOf({
      mine: { input: MILLION, cached: MILLION },
      'gemini-2.5-flash': { input: MILLION },
      'gemini-2.5-pro': { output: MILLION },
    });
    expect(estimateCost(usage, { at: IN_2026, prices }).byModel).toEqual({
      mine: 1,
      'gemini-2.5-flash': 20,
      'gemini-2.5-pro': 10,
    });
    const early = { at: new Date('2026-05-31'), prices };
    expect(estimateCost(usage, early).byModel['gemini-2.5-flash']).toBe(10);
  });

  it('does not know a price that has not begun, and no names of Object.prototype', () => {
    const prices = { mine: { input: 1, output: 2, from: '2030-01-01' } };
    const usage = usageOf({ mine: { input: 1 }, toString: { input: 1 } });
    expect(estimateCost(usage, { at: IN_2026, prices }).unknownModels).toEqual([
      'mine',
      'toString',
    ]);
  });

  it('knows the long form of a model name', () => {
    expect(estimateCost(usageOf({ 'models/gemini-2.5-flash': { input: MILLION } })).usd).toBe(0.3);
  });

  it.each([
    [{ input: -1, output: 1 }, 'prices["mine"].input must be a number, 0 or more, not -1'],
    [
      { input: 1, output: Number.NaN },
      'prices["mine"].output must be a number, 0 or more, not NaN',
    ],
    [
      { input: 1, output: 1, from: 'soon' },
      'prices["mine"].from must be a day such as "2027-01-01", not "soon"',
    ],
  ])('refuses the price %j', (price, message) => {
    const call = () => estimateCost(usageOf({ mine: { input: 1 } }), { prices: { mine: price } });
    expect(call).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', message }));
  });

  it('refuses a value that is neither a usage nor messages', () => {
    // @ts-expect-error Callers of JavaScript may give anything.
    expect(() => estimateCost('5 dollars')).toThrow('tokens must be a usage or a list of messages');
  });
});

describe('the cost of requests', () => {
  it('has the higher price for each request above 200,000 tokens, and only for it', () => {
    const messages = [
      request('gemini-2.5-pro', { input: 200_000, output: 1000 }),
      request('gemini-2.5-pro', { input: 200_001, output: 1000 }),
    ];
    const expected = (200_000 * 1.25 + 1000 * 10 + 200_001 * 2.5 + 1000 * 15) / MILLION;
    const cost = estimateCost(messages);
    expect(cost.usd).toBeCloseTo(expected, 9);
    expect(cost.isLowerBound).toBe(false);
  });

  it('is a lower bound without the single requests of such a model', () => {
    const usage = usageOf({ 'gemini-2.5-pro': { input: 400_001 } });
    expect(estimateCost(usage)).toMatchObject({ usd: 0.50000125, isLowerBound: true });
    const small = usageOf({ 'gemini-2.5-pro': { input: 200_000 } });
    expect(estimateCost(small).isLowerBound).toBe(false);
  });

  it('has the price of the time of each message', () => {
    const model = 'gemini-3.8-flash';
    const messages = [
      request(model, { input: MILLION }, '2026-12-31T12:00:00Z'),
      request(model, { input: MILLION }, '2027-01-02T12:00:00Z'),
    ];
    expect(estimateCost(messages).usd).toBe(0.75 + 1.5);
    expect(estimateCost(messages, { at: IN_2026 }).usd).toBe(0.75 * 2);
  });

  it('adds tokens of the usage that no request explains', () => {
    const model = 'gemini-2.5-pro';
    const requests = [request(model, { input: 300_000 })];
    const usage = usageOf({ [model]: { input: 310_000 } });
    const expected = (300_000 * 2.5 + 10_000 * 1.25) / MILLION;
    expect(estimateRequests(requests, usage, {}).usd).toBeCloseTo(expected, 9);
  });
});

describe('the sum of costs', () => {
  it('adds models and keeps the unknown ones', () => {
    const one = estimateCost(
      usageOf({ 'gemini-2.5-flash': { input: MILLION }, mine: { input: 1 } }),
    );
    const other = estimateCost(usageOf({ 'gemini-2.5-flash': { input: MILLION } }));
    expect(sumCosts([one, undefined, other])).toMatchObject({
      usd: 0.6,
      byModel: { 'gemini-2.5-flash': 0.6 },
      unknownModels: ['mine'],
      isLowerBound: true,
    });
    expect(sumCosts([undefined])).toBeUndefined();
  });

  it('is unknown, and not 0, if a part without tokens meets a model without a price', () => {
    const none = estimateCost(usageOf({}));
    const unknown = estimateCost(usageOf({ mine: { input: 1 } }));
    expect(sumCosts([none, unknown])?.usd).toBeUndefined();
  });
});

describe('the built-in table', () => {
  it('names a source and a day for each price, and orders prices by the day on which they begin', () => {
    for (const prices of Object.values(LIST_PRICES)) {
      for (const { source, checked } of prices) {
        expect(source).not.toBe('');
        expect(checked).toMatch(/^\d{4}-\d\d-\d\d$/);
      }
      const days = prices.map(({ from = '' }) => from);
      expect(days).toEqual(days.toSorted());
    }
    expect(PRICES_DATE).toBe('2026-09-02');
  });
});

it.each([
  [[null], {}],
  [{}, 5],
  ['text', {}],
])('wrong tokens and options are refused: %j, %j (claim: input-validated)', (tokens, options) => {
  // @ts-expect-error: the compiler refuses them, too.
  expect(() => estimateCost(tokens, options)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});
