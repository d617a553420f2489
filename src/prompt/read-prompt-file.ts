import { readFileSync } from 'node:fs';
import { ProviderError } from '../errors/provider-error.js';
import { statIfThere } from '../workspace/stats.js';

/** The text of a prompt file, to the letter: a byte order mark stays, bytes that are no UTF-8 are refused. */
export function readPromptFile(path: string, what = 'Prompt file'): string {
  const stats = statIfThere(path);
  if (stats === undefined) throw invalidFile(what, path, 'does not exist');
  if (stats.isDirectory()) throw invalidFile(what, path, 'is a folder');
  const text = decode(what, path, read(what, path));
  if (text.trim() === '') throw invalidFile(what, path, 'is empty');
  return text;
}

function read(what: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw invalidFile(what, path, 'cannot be read', cause);
  }
}

function decode(what: string, path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
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
