import type { Remote } from '../../api/remote-options.js';
import { type Printer, print } from '../output/output.js';

/** Prints how a device reaches a remote server: the link, a QR code if a phone can use it, and what does not work. */
export async function greetDevices(
  remote: Pick<Remote, 'url' | 'port' | 'notes' | 'pairingUrl'>,
  publicUrl: string | undefined,
  printer: Printer,
): Promise<void> {
  const link = remote.pairingUrl();
  await print(printer, `Remote server: ${remote.url}\n\n`);
  if (publicUrl !== undefined) {
    const { renderUnicodeCompact } = await import('uqr');
    await print(printer, `${renderUnicodeCompact(link)}\n\n`);
  }
  await print(
    printer,
    `Pair a device within two minutes: ${link}\nA new code: gemini-cli-provider remote pair\n`,
  );
  if (publicUrl === undefined) {
    await print(
      printer,
      `\nA phone cannot reach this address. Bring it there with a tunnel, and start again with its address:\n` +
        `  tailscale serve --bg ${remote.port}   then --public-url https://MACHINE.TAILNET.ts.net\n` +
        `  ssh -R 80:127.0.0.1:${remote.port} …  any other tunnel with https\n`,
    );
  }
  for (const note of remote.notes) await print(printer, `\nNote: ${note}\n`);
}
