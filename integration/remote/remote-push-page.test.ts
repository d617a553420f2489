import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openDevice } from './phone.js';
import { pairPage } from './phone-browser.mjs';
import { startPushService } from './push-service.js';
import { openRemoteLab, type RemoteLab, until, WRITE_REQUEST } from './remote-lab.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const tap = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).tap();

/** Address of the server for a browser on this machine. */
const localUrl = ({ remote }: RemoteLab): string => `http://127.0.0.1:${remote.port}`;

const pairingUrl = (lab: RemoteLab): string =>
  localUrl(lab) + new URL(lab.remote.pairingUrl()).hash;

/** Runs in the browser, which has no push service of its own: the next subscription is the first of these. */
const useSubscriptions = (subscriptions: readonly object[]): string => `{
  const unused = ${JSON.stringify(subscriptions)};
  const restore = () => JSON.parse(sessionStorage.getItem('push'));
  const wrap = (json) => json && {
    toJSON: () => json,
    unsubscribe: async () => sessionStorage.removeItem('push'),
  };
  PushManager.prototype.getSubscription = async () => wrap(restore());
  PushManager.prototype.subscribe = async () => {
    const taken = Number(sessionStorage.getItem('taken') ?? 0);
    sessionStorage.setItem('taken', String(taken + 1));
    sessionStorage.setItem('push', JSON.stringify(unused[taken]));
    return wrap(restore());
  };
}`;

/** Runs in the service worker. This browser shows no messages: it notes what would be shown. A message replaces that of its tag. */
const NOTE_MESSAGES = `self.shown = new Map();
self.registration.showNotification = async (title, options) => {
  self.shown.set(options.tag, { title, ...options });
}`;
const SHOWN = 'Promise.resolve([...self.shown.values()])';

/** Runs in the service worker: the person taps the last message. */
const TAP_MESSAGE = `{
  const notification = { ...[...self.shown.values()].at(-1), close: () => {} };
  const event = Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} });
  self.dispatchEvent(event);
}`;

it('a phone is called about a session, again when it asks again, and after it was paired anew', async () => {
  const service = await startPushService();
  const lab = await openRemoteLab([], { publicUrl: 'https://desk.example' });
  const page = await openDevice(browser);
  await page.context().grantPermissions(['notifications'], { origin: localUrl(lab) });
  await page.addInitScript(useSubscriptions([service.subscribe(), service.subscribe()]));
  await pairPage(page, pairingUrl(lab), 'phone');
  await startOverWorker(page);
  await page.getByRole('link', { name: 'Settings' }).tap();
  await tap(page, 'Turn push messages on');
  await page.getByRole('button', { name: 'Turn push messages off' }).waitFor();

  const engine = await lab.remote.openSession({ folder: lab.root, title: 'Many steps' });
  const answer = engine.ask('first', WRITE_REQUEST);
  const message = await until(() => service.messages[0]);
  const deliver = await openDelivery(page, localUrl(lab));
  const worker = await until(() => page.context().serviceWorkers()[0]);
  await worker.evaluate(NOTE_MESSAGES);
  await deliver(message.text);
  const expected = { title: 'A session needs you', tag: engine.id, renotify: true };
  await expect.poll(() => worker.evaluate(SHOWN)).toMatchObject([expected]);
  // A second message about the session takes the place of the first one.
  await deliver(JSON.stringify({ title: 'A session is ready', body: '', sessionId: engine.id }));
  await expect.poll(() => worker.evaluate(SHOWN)).toMatchObject([{ title: 'A session is ready' }]);
  await worker.evaluate(TAP_MESSAGE);
  await page.getByRole('button', { name: 'Allow', exact: true }).tap();
  expect(await answer).toBe('allow_once');

  // The server forgets the address with the pairing. The browser still has it.
  await lab.remote.revoke(lab.remote.devices()[0]?.id ?? '');
  await page.getByRole('heading', { name: 'Pair this device' }).waitFor();
  await page.goto('about:blank');
  await pairPage(page, pairingUrl(lab), 'phone again');
  await page.getByRole('link', { name: 'Settings' }).tap();
  await tap(page, 'Turn push messages on');
  await page.getByRole('button', { name: 'Turn push messages off' }).waitFor();
  engine.note('error', 'It failed');
  await until(() => service.messages.find(({ path }) => path === '/push/1'));
});

/** Loads the page again when its service worker is there, which then leads the page. */
async function startOverWorker(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
}

/** Returns a function that gives a message to the service worker, as the browser does when its push service has sent one. */
async function openDelivery(page: Page, origin: string): Promise<(data: string) => Promise<void>> {
  const tools = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const id = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId;
      if (id !== undefined) resolve(id);
    });
  });
  await tools.send('ServiceWorker.enable');
  const registrationId = await found;
  return async (data) => {
    await tools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

it('the page opens without a line, with its drafts', async () => {
  const lab = await openRemoteLab([]);
  const page = await openDevice(browser);
  await pairPage(page, pairingUrl(lab), 'phone');
  await startOverWorker(page);
  await page.getByRole('link', { name: 'New session' }).tap();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('typed before');
  const manifest: unknown = await (await fetch(`${localUrl(lab)}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ display: 'standalone', start_url: '/' });
  await lab.remote.close();
  await page.reload();
  await page.getByText('no connection, trying again…').waitFor();
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('typed before');
  await page.getByRole('link', { name: 'Gemini sessions' }).tap();
  await page.getByText('Waiting for the desk…').waitFor();
});
