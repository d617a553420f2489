import type { RemoteClient } from './remote-client.js';

async function findSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null;
  const registration = await navigator.serviceWorker.ready;
  return registration.pushManager.getSubscription();
}

/** True if this device gets push messages. */
export async function isPushOn(): Promise<boolean> {
  return (await findSubscription()) !== null;
}

/** Asks the browser for push messages and gives their address to the server. Throws if the person or the browser refuses. */
export async function turnPushOn(client: RemoteClient, publicKey: string): Promise<void> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window))
    throw new Error(
      'This browser has no push messages. On an iPhone, add the page to the home screen first.',
    );
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications are not allowed in this browser');
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  await client.post('/api/push', { endpoint: endpoint ?? '', keys: keys ?? {} });
}

export async function turnPushOff(client: RemoteClient): Promise<void> {
  await (await findSubscription())?.unsubscribe();
  await client.post('/api/push', { endpoint: null });
}
