import type { PausedEvent } from '../../api/batch-event.js';
import type { LedgerEntry } from './ledger-entry.js';

/** A step that waits for its next attempt. */
export interface WaitingRetry {
  /** Time of the next attempt in milliseconds since 1970. */
  readonly untilMs: number;
  /** Fallback model of the next attempt. */
  readonly model?: string | undefined;
}

/** What holds up the steps of the last run according to the ledger: delays before retries, and rate limits. */
export class LedgerPace {
  /** Steps that wait for their next attempt, by id. */
  readonly retries = new Map<string, WaitingRetry>();
  /** Number of steps that may run at the same time. Undefined if no rate limit has made it smaller. */
  limit: number | undefined;
  /** Time before which no step starts, ISO 8601. */
  pausedUntil: string | undefined;
  /** Cause of that pause. */
  cause: PausedEvent['cause'] = 'rate-limit';

  accept(entry: LedgerEntry): void {
    switch (entry.type) {
      case 'plan':
        this.retries.clear();
        this.limit = undefined;
        this.pausedUntil = undefined;
        break;
      case 'start':
        this.retries.delete(entry.step);
        break;
      case 'retry': {
        const untilMs = Date.parse(entry.at) + entry.delayMs;
        this.retries.set(entry.step, { untilMs, model: entry.model });
        break;
      }
      case 'pace':
        this.limit = entry.limit < entry.most ? entry.limit : undefined;
        this.pausedUntil = entry.pausedUntil ?? this.pausedUntil;
        this.cause = entry.cause ?? this.cause;
        break;
    }
  }
}
