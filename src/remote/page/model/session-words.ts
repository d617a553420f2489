import type { RemoteSession } from '../../../api/remote-session.js';
import { formatCompact } from '../../../web/model/format.js';

/** Sign and word for each state of a session. */
export const STATE_WORDS: Readonly<
  Record<RemoteSession['state'], readonly [sign: string, word: string]>
> = {
  starting: ['◌', 'starting'],
  ready: ['◇', 'ready'],
  working: ['✦', 'working'],
  'needs-you': ['✋', 'needs you'],
  ended: ['·', 'ended'],
};

/** Where a session runs, by its driver. */
export const DRIVER_WORDS: Readonly<Record<RemoteSession['driver'], string>> = {
  acp: 'from here',
  tmux: 'at the desk',
  watch: 'other terminal, watch only',
  engine: 'batch or engine',
  past: 'past',
};

/** Says what a session has used: tokens and estimated cost, as far as they are known. */
export function describeUsage({
  tokens,
  costUsd,
}: Pick<RemoteSession, 'tokens' | 'costUsd'>): string {
  const cost = costUsd === undefined ? undefined : `about $${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
  const used = tokens === undefined ? undefined : `${formatCompact(tokens)} tokens`;
  return [used, cost].filter((part) => part !== undefined).join(' · ');
}

const PAST = 'past-';

/** Returns the session that goes on with a session of the past, once it was resumed. */
export function findResumed(
  id: string,
  sessions: readonly RemoteSession[],
): RemoteSession | undefined {
  if (!id.startsWith(PAST)) return undefined;
  const cliSessionId = id.slice(PAST.length);
  return sessions.find((session) => session.id !== id && session.cliSessionId === cliSessionId);
}
