import { z } from 'zod';
import { ProviderError } from '../../base/errors/provider-error.js';
import { wholeField } from '../../config/fields.js';
import type { ShipLimits } from '../ship-limits.js';

const MEGABYTE = 1024 * 1024;
/** Bytes on the disk for each byte that travels. Text is compressed to a fifth, an attack to a thousandth. */
const MOST_EXPANSION = 16;

export type ResolvedShipLimits = Readonly<Record<keyof ShipLimits, number>>;

const DEFAULTS: ResolvedShipLimits = {
  maxFiles: 100_000,
  maxFileBytes: 64 * MEGABYTE,
  maxUploadBytes: 256 * MEGABYTE,
  maxChangesBytes: 64 * MEGABYTE,
};

const count = wholeField(1);
/** Schema of `ShipLimits`, for callers and workers. */
export const shipLimitsField = z
  .strictObject({
    maxFiles: count,
    maxFileBytes: count,
    maxUploadBytes: count,
    maxChangesBytes: count,
  })
  .partial();

/** Flags of the command line that set a limit. */
const FLAGS: Readonly<Record<keyof ShipLimits, string>> = {
  maxFiles: ' (`--max-files`)',
  maxFileBytes: ' (`--max-file`)',
  maxUploadBytes: ' (`--max-upload`)',
  maxChangesBytes: ' (`--max-changes`)',
};

const NOUNS: Readonly<Record<keyof ShipLimits, string>> = {
  maxFiles: 'files',
  maxFileBytes: 'bytes in one file',
  maxUploadBytes: 'bytes to upload',
  maxChangesBytes: 'bytes in the changes of the step',
};

export function resolveShipLimits(limits: ShipLimits = {}): ResolvedShipLimits {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

/** Throws if a workspace exceeds a limit. The error names what is too large and the setting that raises the limit. */
export function checkShipLimit(
  limits: ResolvedShipLimits,
  name: keyof ShipLimits,
  found: number,
  subject: string,
): void {
  const most = limits[name];
  if (found <= most) return;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `${subject} cannot travel: it has ${found} ${NOUNS[name]}, and \`limits.${name}\` allows ${most}`,
    hint: `Let .gitignore exclude what the step does not need, or raise \`limits.${name}\`${FLAGS[name]} on both sides of the queue.`,
  });
}

/** Checks the sizes of files that travel, before they are read or written. */
export function checkFileSizes(
  limits: ResolvedShipLimits,
  total: 'maxUploadBytes' | 'maxChangesBytes',
  files: readonly { readonly name: string; readonly bytes: number }[],
  subject: string,
): void {
  let sum = 0;
  for (const { name, bytes } of files) {
    checkShipLimit(limits, 'maxFileBytes', bytes, name);
    sum += bytes;
  }
  if (sum > limits[total] * MOST_EXPANSION) checkShipLimit(limits, total, sum, subject);
}
