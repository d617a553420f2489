import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchReport } from '../src/api/batch-report.js';
import { renderReportPage } from '../src/batch/report/render-report-page.js';
import { anAttempt, aReport, aStep, usageOf } from '../test/batch/report/report-builder.js';
import { ReportBrowser, show, stepHash } from './report-browser.js';

let browser: ReportBrowser;

function createReport(): BatchReport {
  const skipped = { state: 'skipped', attempts: [] } as const;
  return aReport([
    aStep('lint', {
      state: 'failed',
      continueOnError: true,
      attempts: [
        anAttempt(0, 10, { outcome: 'QUOTA_EXHAUSTED', model: 'gemini-2.5-pro' }),
        anAttempt(12, 30, {
          number: 2,
          outcome: 'RATE_LIMITED',
          model: 'gemini-2.5-flash',
          usage: usageOf({ 'gemini-2.5-flash': 900 }),
        }),
      ],
    }),
    aStep('deploy', {
      ...skipped,
      skip: { reason: 'condition', message: 'The condition `target` is false' },
    }),
    aStep('docs', {
      ...skipped,
      skip: { reason: 'selection', message: 'The run was told to leave it out' },
    }),
    aStep('old', skipped),
  ]);
}

beforeAll(async () => {
  browser = await ReportBrowser.start({ remarks: [...renderReportPage(createReport())].join('') });
});

afterAll(() => browser?.close());

it('says why steps were skipped', async () => {
  const page = await browser.open('remarks');
  expect(await page.locator('.skipped').allInnerTexts()).toEqual([
    expect.stringMatching(/because their condition is false\s+deploy/),
    expect.stringMatching(/because this run was told to leave them out\s+docs/),
    expect.stringMatching(/because of a step that the report does not name\s+old/),
  ]);
  await show(page, stepHash('deploy'));
  await page.getByText('The condition target is false').waitFor();
});

it('shows the model of each attempt, and that a failure does not matter', async () => {
  const page = await browser.open('remarks', stepHash('lint'));
  await page.getByText('the batch goes on').waitFor();
  const attempts = await page.locator('.attempt').allInnerTexts();
  expect(attempts).toEqual([
    expect.stringContaining('gemini-2.5-pro'),
    expect.stringContaining('gemini-2.5-flash'),
  ]);
});

it('shows no note cut off on a phone', async () => {
  const page = await browser.open('remarks', '#steps', { viewport: { width: 390, height: 844 } });
  await page.locator('.row .note').first().waitFor();
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.row .note')]
      .filter((note) => {
        const [own, box] = [note, note.parentElement].map((one) => one.getBoundingClientRect());
        const isShown = own.top < box.bottom;
        return isShown && (note.scrollWidth > note.clientWidth || own.right > box.right + 1 || own.bottom > box.bottom + 1);
      })
      .map((note) => note.textContent)`,
  );
  expect(cut).toEqual([]);
});
