import { render } from 'preact';
import { startTheme } from '../../web/view/theme.js';
import { RemoteClient } from './client/remote-client.js';
import { App } from './view/app.js';
import { PairForm } from './view/pair-form.js';

const client = new RemoteClient();
const code = /^#pair=([\w-]+)$/.exec(location.hash)?.[1];
// The code must not stay in the history of the browser.
if (code !== undefined) history.replaceState(null, '', '/');
const root = document.getElementById('app');
if (root !== null) {
  if (client.isPaired && code === undefined) {
    render(<App client={client} />, root);
    startTheme();
  } else render(<PairForm client={client} code={code} />, root);
}
startServiceWorker();

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
