import { InvalidArgumentError, Option } from 'commander';
import { parseBytes } from '../../base/text/parse-bytes.js';
import type { ShipLimits } from '../../queue/ship-limits.js';

export interface LimitFlags {
  readonly maxFiles?: number;
  readonly maxFile?: number;
  readonly maxUpload?: number;
  readonly maxChanges?: number;
}

/** Parses a number of bytes, with or without a unit. */
export const toBytes = (value: string): number => {
  const bytes = parseBytes(value);
  if (bytes === undefined) throw new InvalidArgumentError('Give bytes, or a size such as 64MB.');
  return bytes;
};

const toFiles = (value: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number above 0.');
  return Number(value);
};

/** Creates the flags for the limits of shipped workspaces. Callers and workers have limits of their own. */
export function createLimitFlags(beginning: string): Option[] {
  const flag = (name: string, text: string) => new Option(name, `${beginning}${text}`);
  return [
    flag('--max-files <n>', 'most files in a workspace (default: 100000)').argParser(toFiles),
    flag('--max-file <size>', 'largest file (default: 64MB)').argParser(toBytes),
    flag('--max-upload <size>', 'most bytes of a workspace (default: 256MB)').argParser(toBytes),
    flag('--max-changes <size>', 'most bytes that come back (default: 64MB)').argParser(toBytes),
  ];
}

/** Maps the flags to the option `limits`. Empty if no flag is given. */
export function readLimits(flags: LimitFlags): { readonly limits?: ShipLimits } {
  const limits = {
    maxFiles: flags.maxFiles,
    maxFileBytes: flags.maxFile,
    maxUploadBytes: flags.maxUpload,
    maxChangesBytes: flags.maxChanges,
  };
  return Object.values(limits).every((value) => value === undefined) ? {} : { limits };
}
