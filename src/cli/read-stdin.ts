import { addAbortSignal, type Readable } from 'node:stream';
import { ProviderError } from '../base/errors/provider-error.js';
import { toProviderError } from '../base/errors/unexpected-error.js';
import { statIfThere } from '../base/fs/stats.js';
import { MAX_PROMPT_BYTES } from '../step/prompt/check-prompt.js';

type Stdin = Readable & { readonly isTTY?: boolean };

/** Reads the prompt from stdin, unchanged, and waits for its end. Throws INVALID_INPUT, or CANCELLED while waiting. */
export async function readStdin(stdin: Stdin, signal: AbortSignal): Promise<string> {
  if (stdin.isTTY === true) {
    throw invalidStdin(
      'No prompt was given',
      'Give the prompt as an argument, with --prompt-file, or on stdin.',
    );
  }
  // Node would read a folder as an empty stream.
  if (statIfThere('/dev/stdin')?.isDirectory()) throw invalidStdin('Stdin is a folder');
  return decode(await readBytes(stdin, signal));
}

async function readBytes(stdin: Stdin, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    const arriving: AsyncIterable<Buffer> = addAbortSignal(signal, stdin);
    for await (const piece of arriving) {
      bytes += piece.length;
      if (bytes > MAX_PROMPT_BYTES) break;
      pieces.push(piece);
    }
  } catch (cause) {
    if (signal.aborted) throw toProviderError(signal.reason, signal);
    throw invalidStdin('Stdin cannot be read', undefined, cause);
  }
  if (bytes <= MAX_PROMPT_BYTES) return Buffer.concat(pieces);
  throw invalidStdin(
    `The prompt on stdin has more than ${MAX_PROMPT_BYTES} bytes`,
    'Shorten the prompt, or write it to a file and give --prompt-file and --prompt-delivery file.',
  );
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidStdin('The prompt on stdin is not UTF-8', undefined, cause);
  }
}

function invalidStdin(
  message: string,
  hint = 'Give a readable text in UTF-8 on stdin.',
  cause?: unknown,
): ProviderError {
  return new ProviderError({ code: 'INVALID_INPUT', message, hint, cause });
}
