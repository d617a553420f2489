import type { PausedEvent } from '../../api/batch-event.js';

const WORDS: Readonly<Record<PausedEvent['cause'], string>> = {
  'rate-limit': 'rate limited',
  outage: 'API not reachable',
};

/** Names the cause of a pause. */
export function describePause(cause: PausedEvent['cause']): string {
  return WORDS[cause];
}
