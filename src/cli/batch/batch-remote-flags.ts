import { type Command, InvalidArgumentError, Option } from 'commander';

/** Port of the server of a batch, the same as that of `remote`: a tunnel leads to it. */
export const REMOTE_PORT = 8377;

export interface BatchRemoteFlags {
  readonly remote?: boolean;
  readonly publicUrl?: string;
  readonly remotePort?: number;
  readonly remoteState?: string;
}

/** Names of the flags, for the groups of the help. */
export const BATCH_REMOTE_NAMES = ['remote', 'publicUrl', 'remotePort', 'remoteState'] as const;

/** Adds the flags with which a batch asks on a phone. */
export function addBatchRemoteFlags(command: Command): void {
  const flags = [
    new Option(
      '--remote',
      'Ask for permissions on paired devices instead of refusing them, and show the progress there',
    ).conflicts('queue'),
    new Option('--public-url <url>', 'With --remote: address of the tunnel or proxy').implies({
      remote: true,
    }),
    new Option(
      '--remote-port <n>',
      `With --remote: port of the server, 0 for a free one (default: ${REMOTE_PORT})`,
    ).argParser(toPort),
    new Option(
      '--remote-state <dir>',
      'With --remote: folder for devices and logs of the server',
    ).argParser(toFolder),
  ];
  for (const flag of flags) command.addOption(flag);
}

/** Leaves out the flags of the remote server, which are no keys of the configuration. */
export function withoutRemoteFlags<Flags extends BatchRemoteFlags>(
  flags: Flags,
): Omit<Flags, keyof BatchRemoteFlags> {
  const {
    remote: _remote,
    publicUrl: _url,
    remotePort: _port,
    remoteState: _state,
    ...rest
  } = flags;
  return rest;
}

/** Parses the port of a server. */
export function toPort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new InvalidArgumentError('Give a port from 0 to 65535.');
  return port;
}

/** Parses the name of a folder, which must not be empty: an empty one would be the current folder. */
export function toFolder(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Give a folder.');
  return value;
}
