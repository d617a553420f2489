import { readFileSync } from 'node:fs';
import type { Remote } from 'gemini-cli-provider/remote';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openPhoneContext, pairPage } from './phone-browser.mjs';

export { launchBrowser } from '../launch-browser.mjs';

/** Widths of a phone, a tablet and a desktop. */
export const WIDTHS = [360, 768, 1280] as const;

/** Opens the page on a new device at the size of a phone. */
export async function openDevice(browser: Browser): Promise<Page> {
  const context = await openPhoneContext(browser);
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Pairs a new device under a name, and waits for the list of sessions. */
export async function pairPhone(browser: Browser, remote: Remote, name: string): Promise<Page> {
  const page = await openDevice(browser);
  await pairPage(page, remote.pairingUrl(), name);
  return page;
}

/** Runs in the browser: what axe finds, what is wider than the screen, and what is too small for a finger. */
const FIND_PROBLEMS = `(async () => {
  const { violations } = await axe.run();
  const { scrollWidth, clientWidth } = document.documentElement;
  const isSmall = (element) => {
    const { height, width } = element.getBoundingClientRect();
    return height > 0 && (height < 43.5 || width < 43.5);
  };
  const targets = [...document.querySelectorAll('button, a.button, a.session, summary, select')];
  return [
    ...violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    ...(scrollWidth > clientWidth ? ['scrolls sideways: ' + scrollWidth] : []),
    ...targets.filter(isSmall).map((element) => 'small: ' + element.outerHTML.slice(0, 200)),
  ];
})()`;

/** Returns the problems of the page at each width. */
export async function findPageProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  const size = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const found = await page.evaluate<string[]>(FIND_PROBLEMS);
    problems.push(...found.map((problem) => `${width}: ${problem}`));
  }
  if (size !== null) await page.setViewportSize(size);
  return problems;
}
