import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { BASE_STYLE } from '../../web/base-style.js';
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
  app.get('/app.css', async (_request, reply) => {
    const style = BASE_STYLE + REMOTE_STYLE;
    return reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(style);
  });
  for (const [path, [file, type]] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) => {
      const content = await readFile(new URL(`${PAGE.href}/${file}`));
      return reply.header('content-type', type).header('cache-control', 'no-cache').send(content);
    });
  }
}
