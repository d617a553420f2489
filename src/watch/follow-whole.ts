import { stat } from 'node:fs/promises';
import { readSession } from '../session/read-session.js';
import type { Look } from './look.js';

/** Follows a file of the older generation, which is written anew for each message. */
export class WholeFollower {
  #seen = '';
  #torn = '';

  /** Undefined where there is nothing new, or where the CLI is just writing it. */
  async look(path: string): Promise<Look | undefined> {
    const { ino, size, mtimeMs } = await stat(path);
    const version = `${ino} ${size} ${mtimeMs}`;
    if (version === this.#seen) return undefined;
    const { header, messages, diagnostics, complete } = await readSession(path);
    // Nobody is writing any more if it is still torn the next time.
    if (!complete && this.#torn !== version) {
      this.#torn = version;
      return undefined;
    }
    this.#seen = version;
    const problems = complete ? [] : diagnostics;
    return { written: messages, removed: [], isEverything: true, header, problems };
  }
}
