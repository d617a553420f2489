import { fstatSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { ProviderError } from '../base/errors/provider-error.js';
import { toProviderError } from '../base/errors/unexpected-error.js';
import { statIfThere } from '../base/fs/stats.js';
import { MAX_PROMPT_BYTES } from '../step/prompt/check-prompt.js';

/** Name of a file that means stdin. */
export const STDIN_NAME = '-';

/** Time after which the user is told that the command waits for stdin. */
const REMARK_AFTER_MS = 3_000;

export type Stdin = Readable & { readonly isTTY?: boolean; readonly fd?: number };

export interface StdinRequest {
  /** What is read from stdin, as messages name it: `the prompt`. */
  readonly what: string;
  readonly signal: AbortSignal;
  /** Prints a line that tells what the command waits for. */
  readonly say: (line: string) => void;
  /** @defaultValue the limit for a prompt */
  readonly mostBytes?: number;
  /**
   * Time for the first byte. Without one in time, the text is empty, and the user is told.
   *
   * @defaultValue no limit
   */
  readonly firstByteMs?: number;
  /** Why the command waits, if the user may not expect it. */
  readonly reason?: string;
}

/** What has been read from each stream: the same text cannot be two things. */
const taken = new WeakMap<Readable, string>();

/**
 * Returns what stdin is, if it may have a text that nothing has read yet. A terminal and a device such as /dev/null are
 * `none`. A program of Node gives its child a socket, which it often neither writes nor closes.
 */
export function kindOfStdin(stdin: Stdin): 'text' | 'socket' | 'none' {
  if (stdin.isTTY === true || taken.has(stdin)) return 'none';
  try {
    const stats = fstatSync(stdin.fd ?? 0);
    if (stats.isSocket()) return 'socket';
    return stats.isFile() || stats.isFIFO() ? 'text' : 'none';
  } catch {
    return 'none';
  }
}

/**
 * Reads stdin as text, unchanged, and waits for its end. On a terminal the user is told what to type. Throws
 * INVALID_INPUT, or CANCELLED while waiting.
 */
export async function readStdin(stdin: Stdin, request: StdinRequest): Promise<string> {
  const { what, say, reason } = request;
  const earlier = taken.get(stdin);
  if (earlier !== undefined) {
    throw invalidStdin(
      `Stdin cannot be ${earlier} and ${what}`,
      'Give one of them as an argument or in a file.',
    );
  }
  taken.set(stdin, what);
  // Node would read a folder as an empty stream.
  if (statIfThere('/dev/stdin')?.isDirectory()) throw invalidStdin('Stdin is a folder');
  if (stdin.isTTY === true) say(`Type ${what}, then Ctrl-D on an empty line. Ctrl-C cancels.`);
  const remark = setTimeout(() => {
    if (stdin.isTTY !== true) say(`Waiting for the end of stdin: ${reason ?? `it is ${what}`}.`);
  }, REMARK_AFTER_MS);
  try {
    return decode(await readBytes(stdin, request), what);
  } finally {
    clearTimeout(remark);
  }
}

async function readBytes(
  stdin: Stdin,
  { what, signal, say, firstByteMs, mostBytes = MAX_PROMPT_BYTES }: StdinRequest,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const patience = new AbortController();
  const timer =
    firstByteMs === undefined ? undefined : setTimeout(() => patience.abort(), firstByteMs);
  try {
    const end = AbortSignal.any([signal, patience.signal]);
    const arriving: AsyncIterable<Buffer> = addAbortSignal(end, stdin);
    for await (const piece of arriving) {
      clearTimeout(timer);
      bytes += piece.length;
      if (bytes > mostBytes) break;
      pieces.push(piece);
    }
  } catch (cause) {
    if (signal.aborted) throw toProviderError(signal.reason, signal);
    if (patience.signal.aborted) {
      say('Warning: nothing came on stdin, and it is not closed. The step begins without it.');
      say('  Give --stdin to wait for a text, or --no-stdin to begin at once.');
      return Buffer.alloc(0);
    }
    throw invalidStdin('Stdin cannot be read', undefined, cause);
  } finally {
    clearTimeout(timer);
  }
  if (bytes <= mostBytes) return Buffer.concat(pieces);
  const isPrompt = what === 'the prompt';
  throw invalidStdin(
    `Stdin has more than ${mostBytes} bytes, the limit for ${what}`,
    isPrompt
      ? 'Shorten the prompt, or write it to a file and give --prompt-file and --prompt-delivery file.'
      : 'Shorten the text, or write it to a file and let the prompt name the file.',
  );
}

function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidStdin(`Stdin (${what}) is not UTF-8`, undefined, cause);
  }
}

function invalidStdin(
  message: string,
  hint = 'Give a readable text in UTF-8 on stdin.',
  cause?: unknown,
): ProviderError {
  return new ProviderError({ code: 'INVALID_INPUT', message, hint, cause });
}
