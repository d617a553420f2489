import type { RemoteSession } from '../../api/remote-session.js';
import type { SessionInfo } from '../../api/session-list.js';
import { countSessions } from '../../sessions/list/count-sessions.js';
import { knownUsd } from './known-usd.js';

const MOST_COUNTS = 1_000;

type Counts = Pick<RemoteSession, 'tokens' | 'costUsd'>;

/** Tokens and cost of sessions of the past. The list counts small files alone; a large one is read once, and again if it has grown. */
export class PastCounts {
  readonly #counts = new Map<string, Counts>();
  #isCounting = false;

  /** Returns what is known about a session at present. */
  find(info: SessionInfo): Counts {
    return info.tokens === undefined ? (this.#counts.get(keyOf(info)) ?? {}) : countsOf(info);
  }

  /** Counts the sessions that the list has not counted, one at a time. Does nothing while another call counts. */
  async count(
    infos: readonly SessionInfo[],
    onCounted: (info: SessionInfo) => void,
  ): Promise<void> {
    if (this.#isCounting) return;
    this.#isCounting = true;
    try {
      for (const info of infos) {
        if (info.tokens !== undefined || this.#counts.has(keyOf(info))) continue;
        const [counted = info] = await countSessions([info], 'exact');
        const [oldest] = this.#counts.keys();
        if (this.#counts.size >= MOST_COUNTS && oldest !== undefined) this.#counts.delete(oldest);
        this.#counts.set(keyOf(info), countsOf(counted));
        onCounted(info);
      }
    } finally {
      this.#isCounting = false;
    }
  }
}

function countsOf({ tokens, cost }: SessionInfo): Counts {
  return { tokens: tokens?.total, costUsd: knownUsd(cost) };
}

function keyOf({ file, bytes, updatedAt }: SessionInfo): string {
  return `${file} ${bytes} ${updatedAt}`;
}
