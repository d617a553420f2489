import type { ProviderErrorData } from '../../../../api/error.js';

type HintedError = Pick<ProviderErrorData, 'hint' | 'stderrTail'>;

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

/** Sections that only the page of the step has, for a hint in the list of all failures. */
const ELSEWHERE: readonly (readonly [field: string, place: string])[] = [
  [
    'continue with `resume` and the session id',
    'continue the session with the command on the page of the step',
  ],
  ['See `missing` for the unmet expectations.', 'The page of the step has all unmet expectations.'],
  ['`missing`', '“Expectations” on the page of the step'],
  ['`partial.files`', '“Files” on the page of the step'],
];

/**
 * Replaces names of fields of the API in the hint of an error: a reader of the page sees sections, not fields. The page has
 * no section for an empty stderr.
 */
export function readableHint(
  { hint, stderrTail = '' }: HintedError,
  { isOnPageOfStep }: { readonly isOnPageOfStep: boolean },
): string {
  const isSilent = stderrTail.trim() === '';
  const text = isSilent ? hint.replaceAll('`stderrTail` and `message`', '`message`') : hint;
  const places = isOnPageOfStep ? PLACES : [...ELSEWHERE, ...PLACES];
  return places.reduce((all, [field, place]) => all.replaceAll(field, place), text);
}
