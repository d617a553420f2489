import { resolve } from 'node:path';
import { z } from 'zod';
import type { Duration } from '../../api/duration.js';
import { secondsField } from '../../config/fields.js';
import { textsField } from '../queue-settings.js';
import type { ShipLimits } from '../ship-limits.js';
import { shipLimitsField } from '../workspace/check-limit.js';

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

/** Checked `ShippingOptions`. Undefined keys have the defaults of the workspaces. */
export interface ShippingSettings {
  readonly limits: ShipLimits | undefined;
  readonly remotes: readonly string[] | undefined;
  readonly cacheBytes: number | undefined;
  readonly setupTimeoutMs: number | undefined;
  readonly setupVariables: readonly string[] | undefined;
}

/** Schema of each key of `ShippingOptions`. */
export const shippingShape = {
  limits: shipLimitsField,
  remotes: textsField,
  cacheBytes: z.int().min(1),
  setupTimeout: secondsField,
  setupVariables: textsField,
};

/** Schema of `allow.sharedFolders`. The output is the list of folders, or true or false for all or none. */
export const sharedFoldersField = z.union([z.boolean(), textsField]).transform((given) => {
  return typeof given === 'boolean' ? given : given.map((folder) => resolve(folder));
});

type Output = z.output<z.ZodObject<typeof shippingShape>>;
type Given = { readonly [Key in keyof Output]?: Output[Key] | undefined };

export function toShippingSettings(given: Given): ShippingSettings {
  const { limits, remotes, cacheBytes, setupTimeout, setupVariables } = given;
  const setupTimeoutMs = setupTimeout === undefined ? undefined : setupTimeout * 1_000;
  return { limits, remotes, cacheBytes, setupTimeoutMs, setupVariables };
}
