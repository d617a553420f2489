import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchReport } from '../src/api/batch-report.js';
import { renderReportPage } from '../src/batch/report/render-report-page.js';
import { ReportBrowser, rowNames } from './report-browser.js';
import { createFullReport, createScaleReport, scaleStepId } from './report-scale.js';

const SMALL = 10_000;
const LARGE = 100_000;
/** Ten times the steps may take ten times as long, and more than that only by a margin for a busy machine. */
const MOST_TIMES = 20;
let browser: ReportBrowser;

beforeAll(async () => {
  const render = (report: BatchReport) => [...renderReportPage(report)].join('');
  browser = await ReportBrowser.start({
    small: render(createScaleReport(SMALL)),
    large: render(createScaleReport(LARGE)),
    full: render(createFullReport(LARGE)),
  });
}, 300_000);

afterAll(() => browser?.close());

it('a page of 100,000 steps opens in linear time', { timeout: 300_000 }, async () => {
  const page = await browser.openUnwatched();
  const open = async (name: string): Promise<number> => {
    await page.goto('about:blank');
    const begin = performance.now();
    await page.goto(browser.addressOf(name, ''), { timeout: 120_000 });
    await page.locator('.timeline-item').waitFor({ state: 'attached', timeout: 120_000 });
    return performance.now() - begin;
  };
  await open('small');
  const times = {
    small: await open('small'),
    large: await open('large'),
    full: await open('full'),
  };
  // The goal is 3 s on a machine without other work.
  process.stdout.write(`opened: ${JSON.stringify(times)} ms\n`);
  expect(times.large / times.small).toBeLessThan(MOST_TIMES);
});

it('a page of 100,000 steps is searched and shows a step', { timeout: 300_000 }, async () => {
  const page = await browser.open('large');
  page.setDefaultTimeout(60_000);
  await page.getByRole('searchbox').fill('page-098765');
  await expect.poll(() => rowNames(page), { timeout: 60_000 }).toEqual([scaleStepId(98_765)]);
  await page.locator('.row a').click();
  await page.getByText('Page 98765 is translated.').waitFor();
  expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(1_500);
});
