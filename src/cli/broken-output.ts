import { hasErrno } from '../base/errors/errno.js';
import { BROKEN_OUTPUT_EXIT_CODE, EXIT_CODES } from './exit-status.js';

type Streams = Readonly<Record<'stdout' | 'stderr', NodeJS.WritableStream>>;

/** Aborted when what we print has nowhere to go: its reader has left (`| head -1`), or the disk is full. */
export function watchForBrokenOutput({ stdout, stderr }: Streams): AbortSignal {
  const broken = new AbortController();
  for (const stream of [stdout, stderr]) {
    // Every further write fails too: without a listener the first of them would end us with a stack trace.
    stream.on('error', (error) => {
      if (!broken.signal.aborted && !hasReaderLeft(error)) {
        stderr.write(`The output cannot be written: ${error.message}\n`);
      }
      broken.abort(error);
    });
  }
  return broken.signal;
}

/** What to exit with, whatever the command itself has come to. */
export function exitCodeOfBrokenOutput({ reason }: AbortSignal): number {
  return hasReaderLeft(reason) ? BROKEN_OUTPUT_EXIT_CODE : EXIT_CODES.UNKNOWN;
}

function hasReaderLeft(error: unknown): boolean {
  return hasErrno(error, 'EPIPE');
}
