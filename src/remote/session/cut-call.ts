import type { RemoteRequest } from '../../api/remote-request.js';
import { cutInput, findCutArguments } from './cut-input.js';
import { cutText } from './cut-text.js';

const MOST_DIFF_CHARACTERS = 256_000;
const MOST_TEXT_CHARACTERS = 64_000;
/** Arguments of an edit that its diff shows, and of a command that stands in a field of its own. */
const IN_DIFF = new Set(['file_path', 'content', 'old_string', 'new_string', 'instruction']);
const IN_COMMAND = new Set(['command', 'description']);

/** What a request tells about a call. */
type CallParts = Pick<RemoteRequest, 'input'> &
  Partial<Pick<RemoteRequest, 'diff' | 'command' | 'text'>>;
type CutParts = Pick<RemoteRequest, 'input' | 'diff' | 'text' | 'isCut'>;

/** True if the diff or the command of a request shows an argument. */
export function isShownElsewhere(
  name: string,
  { diff, command }: Pick<CallParts, 'diff' | 'command'>,
): boolean {
  return (
    (diff !== undefined && IN_DIFF.has(name)) || (command !== undefined && IN_COMMAND.has(name))
  );
}

/**
 * Cuts the long parts of a call. The person must know of each part that is missing, because an answer allows the whole call. An
 * argument that was cut is not missing if the diff or the command shows it.
 */
export function cutCall(call: CallParts): CutParts {
  const { input, diff, text } = call;
  const isCut =
    (diff?.length ?? 0) > MOST_DIFF_CHARACTERS ||
    (text?.length ?? 0) > MOST_TEXT_CHARACTERS ||
    findCutArguments(input).some((name) => !isShownElsewhere(name, call));
  return {
    input: cutInput(input),
    diff: cutText(diff, MOST_DIFF_CHARACTERS),
    text: cutText(text, MOST_TEXT_CHARACTERS),
    ...(isCut ? { isCut } : {}),
  };
}
