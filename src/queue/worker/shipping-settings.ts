import { resolve } from 'node:path';
import { z } from 'zod';
import { secondsField, wholeField } from '../../config/fields.js';
import { textsField } from '../queue-settings.js';
import type { ShipLimits } from '../ship-limits.js';
import { shipLimitsField } from '../workspace/check-limit.js';

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
  cacheBytes: wholeField(1),
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
