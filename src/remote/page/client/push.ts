import type { PageServer } from './page-message.js';
import type { RemoteClient } from './remote-client.js';

async function findSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** True if this device gets push messages: the browser takes them, and the server sends them. A new pairing has no address yet. */
export async function isPushOn(client: RemoteClient): Promise<boolean> {
  if ((await findSubscription()) === null) return false;
  return (await client.get<PageServer>('/api/state')).isCalled;
}

/** Asks the browser for push messages and gives their address to the server. Throws if the person or the browser refuses. */
export async function turnPushOn(client: RemoteClient, publicKey: string): Promise<void> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window))
    throw new Error(
      'This browser has no push messages. On an iPhone, add the page to the home screen first.',
    );
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications are not allowed in this browser');
  // A browser keeps the address that it has, also if it belongs to the key of another server.
  await endSubscription();
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  await client.post('/api/push', { endpoint: endpoint ?? '', keys: keys ?? {} });
}

export async function turnPushOff(client: RemoteClient): Promise<void> {
  await endSubscription();
  await client.post('/api/push', { endpoint: null });
}

/** Ends the push messages of this browser, whatever the server knows. */
export async function endSubscription(): Promise<void> {
  await (await findSubscription())?.unsubscribe();
}
