import type { Remote } from '../../api/remote-options.js';
import { readEnvironment } from '../../base/process/environment.js';
import { Presence } from '../../remote/state/presence.js';
import {
  describeRemoteFolder,
  findRemotePath,
  stateFlag,
} from '../../remote/state/remote-folder.js';
import { REMOTE_PORT } from '../batch/batch-remote-flags.js';
import { type Printer, print } from '../output/output.js';

interface GreetingFlags {
  readonly publicUrl: string | undefined;
  /** State folder that was given. */
  readonly state: string | undefined;
  /** Flag of the command for the port of the server. */
  readonly portFlag: '--port' | '--remote-port';
}

/** Prints how a device reaches a remote server: the link, a QR code if a phone can use it, and what does not work. */
export async function greetDevices(
  remote: Pick<Remote, 'url' | 'port' | 'notes' | 'pairingUrl'>,
  { publicUrl, state, portFlag }: GreetingFlags,
  printer: Printer,
): Promise<void> {
  const link = remote.pairingUrl();
  const flag = stateFlag(state);
  const where = publicUrl === undefined ? '' : ` (port ${remote.port} of this machine)`;
  await print(printer, `Remote server: ${remote.url}${where}\n\n`);
  if (publicUrl !== undefined) await printQrCode(link, printer);
  await print(
    printer,
    `Pair a device within two minutes: ${link}\nA new code: gemini-cli-provider remote pair${flag}\n`,
  );
  if (publicUrl === undefined) {
    // A tunnel leads to one port. A free one that was chosen is another one at the next start.
    const port = remote.port === REMOTE_PORT ? '' : ` ${portFlag} ${remote.port}`;
    await print(
      printer,
      `\nA phone cannot reach this address. Bring it there with a tunnel, and start again with its address:\n` +
        `  tailscale serve --bg ${remote.port}   then --public-url https://MACHINE.TAILNET.ts.net${port}\n` +
        `  ssh -R 80:127.0.0.1:${remote.port} …  any other tunnel with https\n`,
    );
  }
  // The person may have left the desk before an earlier server ended.
  if (isAway(state))
    await print(
      printer,
      `\nYou are away: calls at the desk wait for a device. Back at the desk: gemini-cli-provider remote desk${flag}\n`,
    );
  for (const note of remote.notes) await print(printer, `\nNote: ${note}\n`);
}

/** Prints a link as a QR code, which a phone reads from the screen. */
export async function printQrCode(link: string, printer: Printer): Promise<void> {
  const { renderUnicodeCompact } = await import('uqr');
  await print(printer, `${renderUnicodeCompact(link)}\n\n`);
}

function isAway(state: string | undefined): boolean {
  const folder = findRemotePath(readEnvironment(), state);
  return new Presence(describeRemoteFolder(folder).presenceFile).isAway();
}
