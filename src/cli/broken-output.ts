import { hasErrno } from '../base/errors/errno.js';
import { cleanText } from '../base/text/clean-text.js';
import { BROKEN_OUTPUT_EXIT_CODE, EXIT_CODES } from './exit-status.js';

type Streams = Readonly<Record<'stdout' | 'stderr', NodeJS.WritableStream>>;

/**
 * Returns a signal that is aborted when stdout or stderr cannot be written: its reader has closed the pipe
 * (`| head -1`), or the disk is full.
 */
export function watchForBrokenOutput({ stdout, stderr }: Streams): AbortSignal {
  const broken = new AbortController();
  for (const stream of [stdout, stderr]) {
    // Without a listener, the first error would end the process with a stack trace. Later writes fail as well.
    stream.on('error', (error) => {
      if (!broken.signal.aborted && !hasReaderLeft(error)) {
        stderr.write(`The output cannot be written: ${cleanText(error.message)}\n`);
      }
      broken.abort(error);
    });
  }
  return broken.signal;
}

/** Returns the exit code for output that cannot be written. It replaces the exit code of the command. */
export function exitCodeOfBrokenOutput({ reason }: AbortSignal): number {
  return hasReaderLeft(reason) ? BROKEN_OUTPUT_EXIT_CODE : EXIT_CODES.UNKNOWN;
}

function hasReaderLeft(error: unknown): boolean {
  return hasErrno(error, 'EPIPE');
}
