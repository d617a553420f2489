import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { formatRoute, isDetail, parseRoute } from '../src/batch/report/page/model/route.js';
import { revealInLine } from '../src/web/reveal-controls.js';
import { launchBrowser } from './launch-browser.mjs';

/** Page with its console output, errors and requests since it was opened. */
interface Watched {
  readonly page: Page;
  readonly complaints: string[];
  readonly requests: string[];
}

/** Real browser that opens report pages from files. */
export class ReportBrowser {
  readonly #folder = mkdtempSync(join(tmpdir(), 'report-page-'));
  readonly #browser: Browser;
  /** Pages by kind of screen. Each is reused, because a new page takes longer than most tests. */
  readonly #watched = new Map<string, Watched>();

  private constructor(browser: Browser, pages: Readonly<Record<string, string>>) {
    this.#browser = browser;
    for (const [name, html] of Object.entries(pages)) {
      writeFileSync(join(this.#folder, `${name}.html`), html);
    }
  }

  static async start(pages: Readonly<Record<string, string>>): Promise<ReportBrowser> {
    return new ReportBrowser(await launchBrowser(), pages);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  addressOf(name: string, hash: string): string {
    return pathToFileURL(join(this.#folder, `${name}.html`)).href + hash;
  }

  /** Opens a page by its name. After the test, fails if the page requested a resource or reported an error. */
  async open(name: string, hash = '', options: BrowserContextOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const watched = this.#watched.get(key) ?? (await this.#watch(options));
    this.#watched.set(key, watched);
    const { page, complaints, requests } = watched;
    await page.goto(this.addressOf(name, hash));
    onTestFinished(async () => {
      await page.goto('about:blank');
      expect(complaints.splice(0)).toEqual([]);
      expect(new Set(requests.splice(0))).toEqual(new Set([this.addressOf(name, '')]));
    });
    return page;
  }

  /** Opens a page without these checks, for tests that provoke errors. */
  async openUnwatched(): Promise<Page> {
    const context = await this.#browser.newContext();
    onTestFinished(() => context.close());
    return context.newPage();
  }

  async #watch(options: BrowserContextOptions): Promise<Watched> {
    const screen = { viewport: { width: 1280, height: 800 }, ...options };
    const page = await this.#browser.newPage(screen);
    page.setDefaultTimeout(10_000);
    const watched: Watched = { page, complaints: [], requests: [] };
    page.on('console', (message) => watched.complaints.push(message.text()));
    page.on('pageerror', (error) => watched.complaints.push(String(error)));
    page.on('dialog', (dialog) => watched.complaints.push(dialog.message()));
    page.on('request', (request) => watched.requests.push(request.url().replace(/#.*/, '')));
    return watched;
  }
}

/** Sets the hash of the open page and waits until its view is shown. */
export async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const route = parseRoute(hash);
  const landmarks = { overview: '.tile', steps: '.step-row', files: '.file-row' } as const;
  if (isDetail(route)) {
    const title = revealInLine(route.view === 'step' ? route.id : route.path);
    await page.locator('#drawer-title', { hasText: title }).waitFor();
  } else
    await page.locator(`#view ${landmarks[route.view]}`).first().waitFor({ state: 'attached' });
}

export function stepHash(id: string): string {
  return formatRoute({ view: 'step', id });
}

/** Returns the label or text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText ?? '').trim()`,
  );
}

export function rowNames(page: Page): Promise<readonly string[]> {
  return page.locator('.row bdi.name').allInnerTexts();
}
