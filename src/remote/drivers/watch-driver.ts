import type { RemoteCapabilities } from '../../api/remote-session.js';
import { NO_CAPABILITIES } from '../session/no-capabilities.js';
import { refusal } from '../session/refusal.js';
import type { SessionDriver, SessionSink } from './session-driver.js';

const WATCHING: RemoteCapabilities = { ...NO_CAPABILITIES, deny: true };
const NOTE =
  'This session runs in a terminal that cannot be controlled: it can be watched, and calls can be denied. Start it with `gemini-cli-provider remote run` to control it.';

/** Watches a session in a terminal that is not in tmux: its hooks and its file tell what happens. */
export class WatchDriver implements SessionDriver {
  readonly name = 'watch';

  constructor(sink: SessionSink) {
    sink.update({ state: 'ready', capabilities: WATCHING, notes: [NOTE] }, 'hook');
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

  async release(): Promise<void> {}
}
