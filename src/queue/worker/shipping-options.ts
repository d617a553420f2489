import type { Duration } from '../../api/duration.js';
import type { ShipLimits } from '../ship-limits.js';

/** Options of a worker about workspaces that travel. */
export interface ShippingOptions {
  /**
   * Limits of a workspace that is shipped. The caller has its own.
   *
   * @defaultValue those of `ShipLimits`
   */
  readonly limits?: ShipLimits | undefined;
  /**
   * Beginnings of the URLs of git remotes that the worker may fetch from.
   *
   * @defaultValue every `https`, `ssh` and `git` URL
   */
  readonly remotes?: string | readonly string[] | undefined;
  /**
   * Size in bytes at which the cache in `cacheDir` loses what was not used for the longest time.
   *
   * @defaultValue 5 GB
   */
  readonly cacheBytes?: number | undefined;
  /**
   * Longest time of a `setup` command: seconds, or a text as `30m`.
   *
   * @defaultValue `'10m'`
   */
  readonly setupTimeout?: Duration | undefined;
  /**
   * Names of variables with model keys, as `GEMINI_API_KEY`, that a `setup` command gets all the same.
   *
   * @defaultValue `[]`: the command gets the environment of the worker without them
   */
  readonly setupVariables?: string | readonly string[] | undefined;
}
