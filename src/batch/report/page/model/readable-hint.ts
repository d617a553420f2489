/** Names of fields in hints, and where the page shows them. Longer names come first. */
const PLACES: readonly (readonly [field: string, place: string])[] = [
  ['continue with `resume` and the session id', 'continue the session with the command below'],
  [
    'See `stderrTail`, `exitCode` and `partial`.',
    'See “End of stderr”, the exit code and the text.',
  ],
  ['`partial.files`', '“Files”'],
  ['`stderrTail`', '“End of stderr”'],
  ['`message`', 'the message'],
  ['`missing`', '“Expectations”'],
  ['`problems`', 'the list'],
  ['Wait for `retryAfterMs`', 'Wait for the time that the API has named'],
];

/** Replaces names of fields of the API in a hint: a reader of the page sees sections, not fields. */
export function readableHint(hint: string): string {
  return PLACES.reduce((text, [field, place]) => text.replaceAll(field, place), hint);
}
