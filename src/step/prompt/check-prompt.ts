import { ProviderError } from '../../base/errors/provider-error.js';

/** The CLI cuts what it reads from stdin at this size, says so in one line of stderr and goes on. */
export const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
/** In a sandbox the prompt becomes one argument, and Linux takes none of 128 KiB or more. */
/** A message to an agent has no limit but this one: below the longest string V8 can hold. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const MAX_SANDBOX_PROMPT_BYTES = 128 * 1024 - 1;
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** Refuses what cannot arrive unchanged, whichever way it goes. */
export function checkCharacters(text: string): void {
  if (text.trim() === '')
    throw invalidPrompt('The prompt is empty', 'Give a prompt or a prompt file.');
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    throw invalidPrompt(`The prompt has a NUL character at position ${nul}`, 'Take it out.');
  }
  const surrogate = text.search(UNPAIRED_SURROGATE);
  if (surrogate !== -1) {
    throw invalidPrompt(
      `The prompt has half of a surrogate pair at position ${surrogate}, which UTF-8 cannot express`,
      'Cut strings between characters, not inside of them.',
    );
  }
}

/** The same for what goes to stdin, which the CLI does not take in any size. */
export function checkPrompt(text: string, inSandbox: boolean): void {
  checkCharacters(text);
  const bytes = Buffer.byteLength(text);
  const limit = inSandbox ? MAX_SANDBOX_PROMPT_BYTES : MAX_PROMPT_BYTES;
  if (bytes > limit) {
    throw invalidPrompt(
      `The prompt has ${bytes} bytes; the CLI takes ${limit}${inSandbox ? ' in a sandbox' : ''}`,
      'Shorten it, or write it to a file and set promptDelivery: "file".',
    );
  }
}

function invalidPrompt(message: string, hint: string): ProviderError {
  return new ProviderError({ code: 'INVALID_INPUT', message, hint });
}
