import { hasErrno } from '../../base/errors/errno.js';
import { cleanText } from '../../base/text/clean-text.js';
import { BROKEN_OUTPUT_EXIT_CODE, EXIT_CODES, HANGUP_EXIT_CODE } from '../exit-status.js';

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
type Streams = Readonly<Record<'stdout' | 'stderr', Stream>>;

/** Reason of the abort if a terminal that the command wrote to was closed. */
const TERMINAL_CLOSED = new Error('The terminal was closed');

/**
 * Returns a signal that is aborted when stdout or stderr cannot be written: its reader has closed the pipe
 * (`| head -1`), the terminal was closed, or the disk is full. A command that outlives its terminal goes on without output.
 */
export function watchForBrokenOutput(
  { stdout, stderr }: Streams,
  ignoresHangup = false,
): AbortSignal {
  const broken = new AbortController();
  for (const stream of [stdout, stderr]) {
    // Without a listener, the first error would end the process with a stack trace. Later writes fail as well.
    stream.on('error', (error) => {
      if (stream.isTTY === true && hasErrno(error, 'EIO')) {
        if (!ignoresHangup) broken.abort(TERMINAL_CLOSED);
        return;
      }
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
  if (reason === TERMINAL_CLOSED) return HANGUP_EXIT_CODE;
  return hasReaderLeft(reason) ? BROKEN_OUTPUT_EXIT_CODE : EXIT_CODES.UNKNOWN;
}

function hasReaderLeft(error: unknown): boolean {
  return hasErrno(error, 'EPIPE');
}
