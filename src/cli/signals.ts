import { HANGUP_EXIT_CODE } from './exit-status.js';
import type { Output } from './output/output.js';

export interface SignalActions {
  /** Called for each Ctrl-C (SIGINT), with the number of them so far. */
  readonly onInterrupt: (count: number) => void;
  /**
   * Called when the command has to end in order: at SIGTERM, at SIGHUP (the terminal was closed), and when the output can no
   * longer be written. May be called several times. `cause` says which, as the end of a sentence.
   */
  readonly onEnd: (cause: string) => void;
}

/** Signals that a command has received. */
export interface ReceivedSignals {
  readonly interrupts: number;
  /** Exit code for the end of the terminal; undefined if it was not closed. */
  readonly hangupExitCode: number | undefined;
  /** Ends the listening. */
  forget(): void;
}

/** Listens to the signals that end a command. SIGQUIT is left to Node. */
export function listenToSignals(
  output: Output,
  { onInterrupt, onEnd }: SignalActions,
): ReceivedSignals {
  let interrupts = 0;
  let hangupExitCode: number | undefined;
  const interrupt = (): void => {
    interrupts++;
    onInterrupt(interrupts);
  };
  const hangUp = (): void => {
    // Under nohup the command goes on: the listener alone keeps Node from ending the process.
    if (output.ignoresHangup) return;
    hangupExitCode = HANGUP_EXIT_CODE;
    onEnd('because its terminal was closed (SIGHUP)');
  };
  const terminate = (): void => onEnd('by SIGTERM');
  const losesOutput = (): void => onEnd('because its output could no longer be written');
  process.on('SIGINT', interrupt).on('SIGTERM', terminate).on('SIGHUP', hangUp);
  output.broken.addEventListener('abort', losesOutput);
  return {
    get interrupts() {
      return interrupts;
    },
    get hangupExitCode() {
      return hangupExitCode;
    },
    forget: () => {
      output.broken.removeEventListener('abort', losesOutput);
      process.off('SIGINT', interrupt).off('SIGTERM', terminate).off('SIGHUP', hangUp);
    },
  };
}
