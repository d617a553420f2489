import { ProviderError } from '../../base/errors/provider-error.js';

/** Most bytes that the CLI reads from stdin. It drops the rest, with only one line on stderr. */
export const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
/** Most bytes of a message to an agent. ACP has no limit; this one is below the longest string of V8. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** Most bytes in a sandbox, where the prompt becomes one argument: Linux refuses arguments of 128 KiB or more. */
const MAX_SANDBOX_PROMPT_BYTES = 128 * 1024 - 1;
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** Throws INVALID_INPUT for a text that neither stdin nor a message can carry unchanged. */
export function checkCharacters(text: string): void {
  if (text.trim() === '')
    throw invalidPrompt('The prompt is empty', 'Give a prompt or a prompt file.');
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    throw invalidPrompt(
      `The prompt has a NUL character at position ${nul}`,
      'Remove it from the prompt.',
    );
  }
  const surrogate = text.search(UNPAIRED_SURROGATE);
  if (surrogate !== -1) {
    throw invalidPrompt(
      `The prompt has half of a surrogate pair at position ${surrogate}, which UTF-8 cannot express`,
      'Cut strings between characters, not inside one.',
    );
  }
}

/** Does the same for a prompt on stdin, and checks its size. */
export function checkPrompt(text: string, inSandbox: boolean): void {
  checkCharacters(text);
  const bytes = Buffer.byteLength(text);
  const limit = inSandbox ? MAX_SANDBOX_PROMPT_BYTES : MAX_PROMPT_BYTES;
  if (bytes > limit) {
    throw invalidPrompt(
      `The prompt has ${bytes} bytes; the CLI accepts ${limit}${inSandbox ? ' in a sandbox' : ''}`,
      'Shorten it, or write it to a file and set promptDelivery: "file".',
    );
  }
}

function invalidPrompt(message: string, hint: string): ProviderError {
  return new ProviderError({ code: 'INVALID_INPUT', message, hint });
}
