import { createTwoFilesPatch } from 'diff';

/** Beyond these a diff helps nobody and may take for ever. */
const LARGEST_DIFFED_CHARACTERS = 1024 * 1024;
const DIFF_TIMEOUT_MS = 2_000;

/** A unified diff as git writes it; null stands for no file. Undefined for binary or very large contents. */
export function createDiff(
  path: string,
  before: Buffer | string | null,
  after: Buffer | string | null,
): string | undefined {
  const [oldText, newText] = [before ?? '', after ?? ''].map((content) => content.toString());
  if (oldText === undefined || newText === undefined || oldText === newText) return undefined;
  const isLarge = Math.max(oldText.length, newText.length) > LARGEST_DIFFED_CHARACTERS;
  if (isLarge || isBinary(oldText) || isBinary(newText)) return undefined;
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    oldText,
    newText,
    undefined,
    undefined,
    { context: 3, timeout: DIFF_TIMEOUT_MS },
  );
  // The library begins with a line of "=" that no other tool expects.
  return patch?.replace(/^=+\n/, '');
}

function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\ufffd');
}
