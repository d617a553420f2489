import type { ModelPrice } from '../../api/cost.js';

/** A list price with its source and the day on which the source was checked. */
export interface ListPrice extends ModelPrice {
  readonly source: string;
  readonly checked: string;
}

/** Size of a prompt above which some models cost more, in tokens. */
const LARGE_PROMPT = 200_000;
const GENAI_PRICES = 'pydantic/genai-prices';

const PRO: Pick<ListPrice, 'input' | 'cached' | 'output' | 'above'> = {
  input: 2,
  cached: 0.2,
  output: 12,
  above: { tokens: LARGE_PROMPT, input: 4, cached: 0.4, output: 18 },
};
const FLASH_UNTIL_2027 = { input: 0.75, cached: 0.075, output: 3.75 };
const FLASH_FROM_2027 = { from: '2027-01-01', input: 1.5, cached: 0.15, output: 7.5 };

/**
 * List prices of the Gemini API, standard tier, text, in US dollars per million tokens. Audio, grounding, storage of a
 * cache, batch and flex prices are not covered.
 */
export const LIST_PRICES: Readonly<Record<string, readonly ListPrice[]>> = {
  'gemini-2.5-pro': [
    {
      input: 1.25,
      cached: 0.125,
      output: 10,
      above: { tokens: LARGE_PROMPT, input: 2.5, cached: 0.25, output: 15 },
      source: GENAI_PRICES,
      checked: '2025-10-31',
    },
  ],
  'gemini-2.5-flash': [
    { input: 0.3, cached: 0.03, output: 2.5, source: GENAI_PRICES, checked: '2025-10-31' },
  ],
  'gemini-2.5-flash-lite': [
    { input: 0.1, cached: 0.01, output: 0.4, source: GENAI_PRICES, checked: '2025-10-31' },
  ],
  'gemini-3-pro-preview': [{ ...PRO, source: GENAI_PRICES, checked: '2025-11-18' }],
  'gemini-3-flash-preview': [
    { input: 0.5, cached: 0.05, output: 3, source: GENAI_PRICES, checked: '2025-12-19' },
  ],
  'gemini-3.1-pro-preview': [{ ...PRO, source: GENAI_PRICES, checked: '2026-02-23' }],
  'gemini-3.1-pro-preview-customtools': [{ ...PRO, source: GENAI_PRICES, checked: '2026-02-23' }],
  'gemini-3.1-flash-lite': [
    { input: 0.25, cached: 0.025, output: 1.5, source: GENAI_PRICES, checked: '2026-05-12' },
  ],
  'gemini-3.5-flash': [
    { input: 1.5, cached: 0.15, output: 9, source: GENAI_PRICES, checked: '2026-05-19' },
  ],
  'gemini-3.5-flash-lite': [
    { input: 0.3, cached: 0.03, output: 2.5, source: GENAI_PRICES, checked: '2026-07-22' },
  ],
  'gemini-3.6-flash': changingFlash(GENAI_PRICES, '2026-08-13'),
  'gemini-3.7-flash': changingFlash(GENAI_PRICES, '2026-08-13'),
  'gemini-3.8-flash': changingFlash('pydantic/genai-prices #678, Portkey #917', '2026-09-02'),
};

/** Day of the newest price in the table. */
export const PRICES_DATE = Object.values(LIST_PRICES)
  .flat()
  .reduce((newest, { checked }) => (checked > newest ? checked : newest), '');

/** Prices of a model whose introductory price ends with the year 2026. */
function changingFlash(source: string, checked: string): readonly ListPrice[] {
  return [
    { ...FLASH_UNTIL_2027, source, checked },
    { ...FLASH_FROM_2027, source, checked },
  ];
}
