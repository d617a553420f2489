// Service worker: keeps the files of the page for a start without a line, and shows push messages. It stores no data.
const SHELL = 'shell-1';
/** A line may accept a request and never answer. After this time the stored file is shown. */
const PATIENCE_MS = 2_500;
/** Time for which the line counts as slow: the other files of the page then do not wait, too. */
const SLOW_MS = 10_000;
const LONGEST_MS = 30_000;
let slowUntil = 0;
const FILES = ['/', '/app.js', '/app.css', '/icon.svg', '/manifest.webmanifest'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (
    event.request.method !== 'GET' ||
    origin !== self.location.origin ||
    !FILES.includes(pathname)
  )
    return;
  const fresh = fetchFile(event.request, pathname);
  // An answer that comes late is kept for the next time.
  event.waitUntil(fresh.catch(() => {}));
  event.respondWith(chooseFile(fresh, pathname));
});

/** Asks the server for a file, and keeps it. */
async function fetchFile(request, pathname) {
  const response = await fetch(request, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const cache = await caches.open(SHELL);
  await cache.put(pathname, response.clone());
  return response;
}

/** Returns the file of the server, so that an update is seen at once. Returns the stored one if the server fails or is slow. */
async function chooseFile(fresh, pathname) {
  const patience = performance.now() < slowUntil ? 0 : PATIENCE_MS;
  const late = new Promise((resolve) => setTimeout(resolve, patience, 'late'));
  const answer = await Promise.race([fresh.catch(() => undefined), late]);
  if (answer instanceof Response) return answer;
  if (answer === 'late') slowUntil = performance.now() + SLOW_MS;
  return (await caches.match(pathname)) ?? fresh.catch(() => Response.error());
}

self.addEventListener('push', (event) => {
  const { title, body, sessionId } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(String(title ?? 'Gemini sessions'), {
      body: String(body ?? ''),
      // A message replaces the one before about the same session, and calls the person again.
      ...(sessionId ? { tag: String(sessionId), renotify: true } : {}),
      icon: '/icon-192.png',
      data: { sessionId: String(sessionId ?? '') },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { sessionId } = event.notification.data ?? {};
  const address = sessionId ? `/#/session/${encodeURIComponent(sessionId)}` : '/';
  event.waitUntil(openPage(address));
});

/** Shows an address in the window that is open, or in a new one. A window that this worker does not lead cannot be navigated. */
async function openPage(address) {
  const [open] = await self.clients.matchAll({ type: 'window' });
  const page = await open?.navigate(address).catch(() => undefined);
  await (page ?? (await self.clients.openWindow(address)))?.focus();
}
