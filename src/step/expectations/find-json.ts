import { findBrackets } from './find-brackets.js';

const FENCE_START = /```(?:json)?[^\S\n]*\r?\n/gi;
/** In JSON a line break never stands inside of a string: the first such fence closes the block. */
const FENCE_END = /\n[^\S\n]*```/g;

/**
 * JSON values in an answer, in groups by how surely they are the answer: the whole text, blocks between fences, objects
 * and lists among other words. In each group in the order of the text.
 */
export function findJson(text: string): readonly (readonly unknown[])[] {
  const whole = parse(text.replace(/^\ufeff/, ''));
  if (whole.length > 0) return [whole];
  return [findFenced(text), findBrackets(text)].filter((group) => group.length > 0);
}

function findFenced(text: string): unknown[] {
  const found: unknown[] = [];
  for (let from = 0; ; ) {
    FENCE_START.lastIndex = from;
    if (FENCE_START.exec(text) === null) return found;
    const start = FENCE_START.lastIndex;
    // The line break before the end may be the one behind the start.
    FENCE_END.lastIndex = start - 1;
    const end = FENCE_END.exec(text);
    if (end === null) return found;
    found.push(...parse(text.slice(start, end.index)));
    from = start;
  }
}

/** Empty where it is no JSON. */
function parse(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
