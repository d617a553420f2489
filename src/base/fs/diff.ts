import { createTwoFilesPatch } from 'diff';

/** Longer contents get no diff: it would be unreadable and could take minutes. */
const LARGEST_DIFFED_CHARACTERS = 1024 * 1024;
/** Longest time for one diff, in which the event loop stands still. */
const DIFF_TIMEOUT_MS = 500;

/** Creates a unified diff as git writes it; null means no file. Undefined for binary, very large or equal contents. */
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
  // Remove the first line of the library ("====="): git and other tools do not expect it.
  return patch?.replace(/^=+\n/, '');
}

function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\ufffd');
}
