import { type Command, Option } from 'commander';
import type { ShippingOptions } from '../../queue/worker/shipping-options.js';
import { toDuration } from '../config/config-flags.js';
import { createLimitFlags, type LimitFlags, readLimits, toBytes } from '../queue/limit-flags.js';

/** Flags of a worker about the workspaces of its steps. */
export interface ShippingFlags extends LimitFlags {
  readonly cache?: string;
  readonly cacheSize?: number;
  readonly setup?: string;
  readonly setupTimeout?: number | string;
  readonly setupVariable?: readonly string[];
  readonly gitRemote?: readonly string[];
  readonly sharedFolder?: readonly string[] | false;
}

const GROUP = 'Workspaces of steps:';

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

/** Adds the flags to the command, as a group of its help. */
export function addShippingFlags(command: Command): Command {
  const flags = [
    new Option(
      '--cache <dir>',
      "Folder for shipped workspaces (default: in the user's cache folder)",
    ),
    new Option(
      '--cache-size <size>',
      'Size of that folder, at which old parts go (default: 5GB)',
    ).argParser(toBytes),
    new Option('--setup <command>', 'Command that prepares a shipped workspace, as "npm ci"'),
    new Option('--setup-timeout <time>', 'Longest time of that command (default: 10m)').argParser(
      toDuration,
    ),
    new Option(
      '--setup-variable <name>',
      'Variable with a model key, as GEMINI_API_KEY, which that command gets all the same (repeatable)',
    ).argParser(collect),
    new Option(
      '--git-remote <url>',
      'Beginning of the URLs of git remotes to fetch from (repeatable; default: all but file URLs)',
    ).argParser(collect),
    new Option(
      '--shared-folder <dir>',
      'Folder in which steps may work in place, with all below (repeatable; default: every folder)',
    ).argParser(collect),
    new Option('--no-shared-folder', 'Let steps work in shipped workspaces alone'),
    ...createLimitFlags('Shipped workspaces: '),
  ];
  for (const flag of flags) command.addOption(flag.helpGroup(GROUP));
  return command;
}

/** Maps the flags to options of the worker. */
export function readShipping(flags: ShippingFlags): ShippingOptions {
  const { gitRemote: remotes, cacheSize: cacheBytes, setupTimeout } = flags;
  const given = { remotes, cacheBytes, setupTimeout, setupVariables: flags.setupVariable };
  return {
    ...readLimits(flags),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
