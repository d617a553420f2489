import { render } from 'preact';
import { startTheme } from '../../web/view/theme.js';
import { RemoteClient, RequestFailure } from './client/remote-client.js';
import { App } from './view/app.js';
import { PairForm } from './view/pair-form.js';

const client = new RemoteClient();
const code = /^#pair=([\w-]+)$/.exec(location.hash)?.[1];
// The code must not stay in the history of the browser.
if (code !== undefined) history.replaceState(null, '', '/');
const root = document.getElementById('app');
if (root !== null) void open(root);
startServiceWorker();

async function open(root: HTMLElement): Promise<void> {
  if (client.isPaired && (code === undefined || (await isKnown()))) {
    render(<App client={client} />, root);
    startTheme();
  } else render(<PairForm client={client} code={code} />, root);
}

/** A link that is opened a second time on a paired device opens the page: its code is used up, and not needed. */
async function isKnown(): Promise<boolean> {
  try {
    await client.get('/api/state');
    return true;
  } catch (error) {
    return !(error instanceof RequestFailure);
  }
}

/** Only pages over https, and those of this machine, may have a service worker. */
function startServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const address = '/sw.js';
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  // The policy of the page wants to know every script by name.
  const policy = trustedTypes?.createPolicy('remote', { createScriptURL: () => address });
  const trusted = policy?.createScriptURL(address) ?? address;
  void navigator.serviceWorker.register(trusted as string).catch(() => {});
}

/** Part of the Trusted Types of browsers that have them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): object };
}
