// Service worker: keeps the files of the page for a start without a line, and shows push messages. It stores no data.
const SHELL = 'shell-1';
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
  // The server first, so that an update is seen at once; the stored file if the server cannot be reached.
  event.respondWith(
    fetch(event.request)
      .then((response) => {
        if (!response.ok) return caches.match(pathname).then((stored) => stored ?? response);
        const copy = response.clone();
        void caches.open(SHELL).then((cache) => cache.put(pathname, copy));
        return response;
      })
      .catch(() => caches.match(pathname).then((stored) => stored ?? Response.error())),
  );
});

self.addEventListener('push', (event) => {
  const { title, body, sessionId } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(String(title ?? 'Gemini sessions'), {
      body: String(body ?? ''),
      tag: String(sessionId ?? ''),
      icon: '/icon-192.png',
      data: { sessionId: String(sessionId ?? '') },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { sessionId } = event.notification.data ?? {};
  const address = sessionId ? `/#/session/${encodeURIComponent(sessionId)}` : '/';
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((windows) => {
      const [open] = windows;
      return open === undefined
        ? self.clients.openWindow(address)
        : open.navigate(address).then((page) => page?.focus());
    }),
  );
});
