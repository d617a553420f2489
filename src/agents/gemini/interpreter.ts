import { existsSync } from 'node:fs';
import { readBeginning } from '../../base/fs/read-beginning.js';

/** Part of the first line that Linux reads. */
const FIRST_LINE_BYTES = 256;
const SHEBANG = /^#![ \t]*(\/[^ \t\n]*)/;

/**
 * Returns the interpreter that the first line of a script names, if that file does not exist. A spawn would then fail
 * with ENOENT, as if the script itself were missing.
 */
export function findMissingInterpreter(script: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const interpreter = SHEBANG.exec(readFirstLine(script))?.[1];
  return interpreter === undefined || existsSync(interpreter) ? undefined : interpreter;
}

/** Returns an empty text for a program that can be executed but not read. */
function readFirstLine(path: string): string {
  try {
    return readBeginning(path, FIRST_LINE_BYTES).toString();
  } catch {
    return '';
  }
}
