import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderReportPage } from '../src/batch/report/render-report-page.js';
import { focused, ReportBrowser, rowNames, show, stepHash } from './report-browser.js';
import { createScaleReport, scaleStepId } from './report-scale.js';

const STEPS = 5_000;
let browser: ReportBrowser;

beforeAll(async () => {
  const html = [...renderReportPage(createScaleReport(STEPS))].join('');
  browser = await ReportBrowser.start({ many: html });
});

afterAll(() => browser?.close());

it.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])('shows 5,000 steps on $width pixels without a horizontal scroll', async (viewport) => {
  const page = await browser.open('many', '', { viewport });
  await page.locator('.timeline-item').waitFor();
  for (const hash of ['#overview', '#steps', '#steps?q=page-0049', stepHash(scaleStepId(3))]) {
    await show(page, hash);
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect([hash, overflow]).toEqual([hash, 0]);
    const nodes = await page.evaluate<number>('document.querySelectorAll("*").length');
    expect(nodes, hash).toBeLessThan(1_500);
  }
});

it('moves through the timeline of 5,000 steps, and zooms', async () => {
  const page = await browser.open('many');
  await page.locator('.timeline-item').focus();
  await page.keyboard.press('End');
  expect(await focused(page)).toContain(scaleStepId(STEPS - LANES_BEFORE_LAST));
  const width = () => page.locator('.timeline-scroll svg').first().getAttribute('width');
  const fitted = Number(await width());
  await page.getByRole('button', { name: 'Zoom in' }).click();
  expect(Number(await width())).toBe(fitted * 2);
  await page.getByRole('button', { name: 'Fit the whole timeline' }).click();
  expect(Number(await width())).toBe(fitted);
});

/** The last step of the first lane is the eighth from the end. */
const LANES_BEFORE_LAST = 8;

it('finds one of 5,000 steps and opens its page', async () => {
  const page = await browser.open('many');
  await page.getByRole('searchbox').fill('page-004321');
  await expect.poll(() => rowNames(page)).toEqual([scaleStepId(4_321)]);
  await page.locator('.row a').click();
  await page.locator('#drawer-title', { hasText: scaleStepId(4_321) }).waitFor();
  await page.getByText('Page 4321 is translated.').waitFor();
});
