import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** As much of the first line as Linux looks at. */
const FIRST_LINE_BYTES = 256;
const SHEBANG = /^#![ \t]*(\/[^ \t\n]*)/;

/**
 * The interpreter that the first line of a script names, where there is none at that place. The system says
 * ENOENT to that, as if the script itself were missing.
 */
export function findMissingInterpreter(script: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const interpreter = SHEBANG.exec(readFirstLine(script))?.[1];
  return interpreter === undefined || existsSync(interpreter) ? undefined : interpreter;
}

/** Empty for a program that may be run but not read. */
function readFirstLine(path: string): string {
  try {
    const fd = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(FIRST_LINE_BYTES);
      return buffer.toString('utf8', 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}
