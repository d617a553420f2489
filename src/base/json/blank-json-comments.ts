import stripJsonComments from 'strip-json-comments';

/** JSON text with each comment replaced by blanks, so that lines and columns stay the same. */
export function blankJsonComments(text: string): string {
  return stripJsonComments(text);
}
