import { findBrackets } from './find-brackets.js';

const FENCE_START = /```(?:json)?[^\S\n]*\r?\n/gi;
/** Closing fence on a line of its own. JSON strings contain no line break, so the first one ends the block. */
const FENCE_END = /\n[^\S\n]*```/g;

/**
 * Finds the JSON values in an answer. The groups are in order of certainty: the whole text, blocks between fences,
 * objects and lists among other words. Each group is in the order of the text.
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
    // For an empty block, the line break of the opening fence is also the one before the closing fence.
    FENCE_END.lastIndex = start - 1;
    const end = FENCE_END.exec(text);
    if (end === null) return found;
    found.push(...parse(text.slice(start, end.index)));
    from = start;
  }
}

/** Returns the value in a list, or an empty list if the text is no JSON. */
function parse(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
