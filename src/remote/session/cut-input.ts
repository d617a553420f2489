import { cutText } from './cut-text.js';

const MOST_INPUT_CHARACTERS = 64_000;
const MOST_VALUE_CHARACTERS = 4_000;

/** Cuts long texts in the arguments of a call. */
export function cutInput(
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (JSON.stringify(input).length <= MOST_INPUT_CHARACTERS) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [key, cutText(text, MOST_VALUE_CHARACTERS)];
    }),
  );
}
