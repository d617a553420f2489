import { ProviderError } from '../../base/errors/provider-error.js';
import { readBeginning } from '../../base/fs/read-beginning.js';
import { statIfThere } from '../../base/fs/stats.js';
import { MAX_PROMPT_BYTES } from './check-prompt.js';

/** Reads a prompt file unchanged: a byte order mark stays. Throws INVALID_INPUT for bytes that are not UTF-8. */
export function readPromptFile(
  path: string,
  what = 'Prompt file',
  mostBytes = MAX_PROMPT_BYTES,
): string {
  const bytes = readRegularFile(what, path, mostBytes + 1);
  if (bytes.length > mostBytes) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `${what} ${path} is larger than ${mostBytes} bytes, the limit for a prompt`,
      hint: 'Shorten the file, or let the model read it itself: promptDelivery: "file".',
    });
  }
  return decode(what, path, bytes, false);
}

/** Checks a file that the model reads itself. It may have any size, so only its first 8 MiB are read. */
export function checkPromptFile(path: string): void {
  const what = 'Prompt file';
  const bytes = readRegularFile(what, path, MAX_PROMPT_BYTES);
  decode(what, path, bytes, bytes.length === MAX_PROMPT_BYTES);
}

/** True if a prompt file has exactly this text. Reads no more of the file than the text is long. */
export function hasText(path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return readRegularFile('Prompt file', path, bytes.length + 1).equals(bytes);
}

/** Refuses pipes and devices, whose reading could block the process or never end. */
function readRegularFile(what: string, path: string, mostBytes: number): Buffer {
  const stats = statIfThere(path);
  if (stats === undefined) throw invalidFile(what, path, 'does not exist');
  if (stats.isDirectory()) throw invalidFile(what, path, 'is a folder');
  if (!stats.isFile()) throw invalidFile(what, path, 'is not a regular file');
  try {
    return readBeginning(path, mostBytes);
  } catch (cause) {
    throw invalidFile(what, path, 'cannot be read', cause);
  }
}

function decode(what: string, path: string, bytes: Buffer, isCut: boolean): string {
  const text = decodeUtf8(what, path, bytes, isCut);
  if (text.trim() === '' && !isCut) throw invalidFile(what, path, 'is empty');
  return text;
}

function decodeUtf8(what: string, path: string, bytes: Buffer, isCut: boolean): string {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    // `stream` allows a cut inside a character.
    return decoder.decode(bytes, { stream: isCut });
  } catch (cause) {
    throw invalidFile(what, path, 'is not UTF-8', cause);
  }
}

function invalidFile(what: string, path: string, problem: string, cause?: unknown): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `${what} ${path} ${problem}`,
    hint: `Give a readable, non-empty text file in place of ${path}.`,
    cause,
  });
}
