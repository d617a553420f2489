import type { RemoteCapabilities } from '../../api/remote-session.js';
import { isProcessAlive } from '../../base/process/process-table.js';
import { NO_CAPABILITIES } from '../session/no-capabilities.js';
import { refusal } from '../session/refusal.js';
import type { SessionDriver, SessionSink } from './session-driver.js';
import type { CliProcess } from './tmux/end-cli.js';

const WATCHING: RemoteCapabilities = { ...NO_CAPABILITIES, deny: true };
const NOTE =
  'This session runs in a terminal that cannot be controlled: it can be watched, and while you are away, calls can be denied. Start it with `gemini-cli-provider remote run` to control it.';
const POLL_MS = 3_000;

export interface WatchDriverOptions {
  readonly sink: SessionSink;
  /** Process of the CLI. Undefined until a hook has told, and where the system does not tell. */
  readonly cli: () => CliProcess | undefined;
  /** Called when the process of the CLI has ended without a hook: it was killed. */
  readonly onGone: () => void;
}

/** Watches a session in a terminal that is not in tmux: its hooks and its file tell what happens. */
export class WatchDriver implements SessionDriver {
  readonly name = 'watch';
  readonly #timer: NodeJS.Timeout;

  constructor({ sink, cli, onGone }: WatchDriverOptions) {
    sink.update({ state: 'ready', capabilities: WATCHING, notes: [NOTE] }, 'hook');
    this.#timer = setInterval(() => {
      const process = cli();
      if (process?.startTime === undefined || isProcessAlive(process.pid, process.startTime))
        return;
      clearInterval(this.#timer);
      onGone();
    }, POLL_MS);
    this.#timer.unref();
  }

  async prompt(): Promise<void> {
    throw refusal('The session can only be watched', NOTE);
  }

  async interrupt(): Promise<void> {
    throw refusal('The session can only be watched', NOTE);
  }

  async setMode(): Promise<void> {
    throw refusal('The session can only be watched', NOTE);
  }

  async setModel(): Promise<void> {
    throw refusal('The session can only be watched', NOTE);
  }

  async end(): Promise<void> {
    throw refusal('The session can only be watched', NOTE);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
  }
}
