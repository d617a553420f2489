import { cleanText } from '../../base/text/clean-text.js';
import { LONGEST_REMARK } from './mcp-limits.js';

export interface CappedText {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Removes what a terminal would obey from a text of a model, and cuts it. No pair of surrogates is divided, because half of
 * one is no text.
 */
export function capText(given: string, longest: number): CappedText {
  const isCut = given.length > longest;
  const text = isCut ? given.slice(0, longest).replace(/[\ud800-\udbff]$/, '') : given;
  return { text: cleanText(text), isCut };
}

/** Cuts a message of an error or a warning. */
export function capRemark(remark: string): string {
  const { text, isCut } = capText(remark, LONGEST_REMARK);
  return isCut ? `${text}…` : text;
}
