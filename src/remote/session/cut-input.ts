import { cutText } from './cut-text.js';

const MOST_INPUT_CHARACTERS = 64_000;
const MOST_VALUE_CHARACTERS = 4_000;

type Input = Readonly<Record<string, unknown>>;

/** Cuts long texts in the arguments of a call. */
export function cutInput(input: Input): Input {
  if (!isLong(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      cutText(textOf(value), MOST_VALUE_CHARACTERS),
    ]),
  );
}

/** Returns the names of the arguments that `cutInput` cuts. */
export function findCutArguments(input: Input): readonly string[] {
  if (!isLong(input)) return [];
  return Object.keys(input).filter((key) => {
    return (textOf(input[key])?.length ?? 0) > MOST_VALUE_CHARACTERS;
  });
}

function isLong(input: Input): boolean {
  return JSON.stringify(input).length > MOST_INPUT_CHARACTERS;
}

/** Returns a value as text. Undefined for a value that JSON does not have. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
