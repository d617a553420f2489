import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { BASE_STYLE } from '../../web/base-style.js';
import { PageFile } from './page-file.js';
import { REMOTE_STYLE } from './remote-style.js';

const PAGE = new URL('../../../dist/remote-page', import.meta.url);

/** Files of the page. The names are fixed: nothing is served by a path that a device gives. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/sw.js': ['sw.js', 'text/javascript; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  '/icon-192.png': ['icon-192.png', 'image/png'],
  '/icon-512.png': ['icon-512.png', 'image/png'],
  '/manifest.webmanifest': ['manifest.webmanifest', 'application/manifest+json'],
};

/** Adds the files of the page, which hold no data and need no token. */
export function addPageRoutes(app: FastifyInstance): void {
  const add = (path: string, type: string, read: () => Promise<Buffer>): void => {
    const file = new PageFile(type, read);
    app.get(path, (request, reply) => file.answer(request, reply));
  };
  add('/app.css', 'text/css; charset=utf-8', async () => Buffer.from(BASE_STYLE + REMOTE_STYLE));
  for (const [path, [file, type]] of Object.entries(FILES))
    add(path, type, () => readFile(new URL(`${PAGE.href}/${file}`)));
}
