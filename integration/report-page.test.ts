import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatRoute } from '../src/batch/report/page/model/route.js';
import { renderReportPage } from '../src/batch/report/render-report-page.js';
import { at } from '../test/batch/report/report-builder.js';
import { focused, ReportBrowser, rowNames, show, stepHash } from './report-browser.js';
import {
  createHostileReport,
  createLargeReport,
  createRunningReport,
  createSmallReport,
  createTranscript,
  HOSTILE,
  PAYLOADS,
  payloadPath,
  SENSITIVE,
} from './report-fixture.js';

const PHONE = { viewport: { width: 360, height: 740 } };
const FAILED_STEP = 'test[src/order.ts]';

const small = createSmallReport();
const large = createLargeReport(1_000);
const running = createRunningReport();
const RUN_STEP = 'convert[src/module-1.js]';
const transcripts = new Map([[RUN_STEP, createTranscript('g1')]]);
let browser: ReportBrowser;

function render(...args: Parameters<typeof renderReportPage>): string {
  return [...renderReportPage(...args)].join('');
}

beforeAll(async () => {
  browser = await ReportBrowser.start({
    small: render(small),
    hostile: render(createHostileReport()),
    large: render(large),
    running: render(running, { writtenAt: at(61), transcripts }),
  });
});

afterAll(() => browser?.close());

describe('the overview', () => {
  it('shows the outcome of the batch and how to resume it', async () => {
    const page = await browser.open('small');
    await page.getByText('The quota of gemini-2.5-pro is used up').waitFor();
    expect(await page.title()).toBe('Convert the order service to TypeScript: stopped');
    expect(await page.locator('.states li').allInnerTexts()).toEqual([
      '9 succeeded',
      '1 pending',
      '2 skipped',
      '1 cancelled',
      '3 failed',
    ]);
    expect(await page.locator('.tile-value').allInnerTexts()).toEqual([
      '16',
      '5 min 30 s',
      '399K',
      '16',
      '17',
    ]);
    expect(await page.locator('.metrics').innerText()).toMatch(
      /^Work per step: median .+, p95 .+, longest .+ · .+ tokens per step$/,
    );
  });

  it('shows failures with their hints, and the steps skipped because of them', async () => {
    const page = await browser.open('small');
    const card = page.locator('.failure-card', { hasText: FAILED_STEP }).first();
    expect(await card.innerText()).toContain('What to do: Look at the end of its output');
    await card.getByText('End of stderr').click();
    expect(await card.getByRole('region', { name: 'End of stderr' }).innerText()).toBe(
      'FAIL test/order.test.ts\n  expected 1250 to be 12.5',
    );
    const skipped = page.getByRole('region', { name: 'Skipped steps (2)' });
    expect(await skipped.getByRole('link').allInnerTexts()).toEqual([
      FAILED_STEP,
      'docs',
      'changelog',
    ]);
  });

  it('shows tokens by model and by step', async () => {
    const page = await browser.open('small');
    const rows = page.locator('.bar-row');
    expect(await rows.first().innerText()).toContain('gemini-2.5-flash');
    expect(await rows.nth(3).innerText()).toMatch(/^test\[src\/order\.ts\]\s+88K/);
  });
});

describe('the timeline', () => {
  it('moves between attempts with the arrow keys and describes each attempt', async () => {
    const page = await browser.open('small');
    await page.locator('.timeline-item').focus();
    expect(await focused(page)).toContain('schema, succeeded, attempt 1, 1 min 1 s, lane 1');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^convert\[src\/order\.ts\], succeeded/);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toMatch(/^convert\[src\/customer\.ts\], succeeded/);
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toContain(`${FAILED_STEP}, API_UNAVAILABLE, retried`);
    expect(await page.locator('.tip').innerText()).toContain('HTTP 503');
    await page.keyboard.press('End');
    expect(await focused(page)).toMatch(/^benchmarks, cancelled/);
  });

  it('opens a step with Enter and gets the focus back afterwards', async () => {
    const page = await browser.open('small');
    await page.locator('.timeline-item').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'convert[src/order.ts]' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toMatch(/^convert\[src\/order\.ts\], succeeded/);
  });

  it('shows the attempt under the pointer and opens it with a click', async () => {
    const page = await browser.open('small');
    const picture = page.locator('.timeline-scroll > svg');
    await picture.hover({ position: { x: 30, y: 12 } });
    expect(await page.locator('.tip').innerText()).toContain('schema');
    await picture.click({ position: { x: 30, y: 12 } });
    await page.getByRole('dialog', { name: 'schema' }).waitFor();
  });

  it('folds the time between runs and can be zoomed', async () => {
    const page = await browser.open('small');
    expect(await page.locator('.break').allTextContents()).toEqual(['+1 h 57 min', '+2 h 39 min']);
    const widthOf = async () => (await page.locator('.timeline-scroll > svg').boundingBox())?.width;
    const before = (await widthOf()) ?? 0;
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await widthOf()).toBeGreaterThan(before * 1.9);
  });
});

describe('a batch at work', () => {
  it('is shown with the time of its data, and the page can be reloaded in place', async () => {
    const page = await browser.open('running');
    const banner = page.locator('.live');
    expect(await banner.innerText()).toContain('The batch is running.');
    await banner.getByRole('button', { name: 'Pause reloading' }).click();
    await banner.getByRole('button', { name: 'Reload automatically' }).waitFor();
    expect(await page.locator('.states li').allInnerTexts()).toEqual([
      '16 succeeded',
      '4 merging',
      '4 running',
    ]);
    await page.evaluate('scrollTo(0, 200)');
    const scrollY = await page.evaluate<number>('scrollY');
    await page.evaluate(`document.querySelector('.live button').click()`);
    await expect
      .poll(() => page.evaluate('performance.getEntriesByType("navigation")[0].type'))
      .toBe('reload');
    await page.locator('.live').waitFor();
    expect(await page.evaluate('scrollY')).toBe(scrollY);
    expect(await page.locator('.live').innerText()).toContain('Reload automatically');
  });

  it('draws waits apart from work, and no two bars on top of each other', async () => {
    for (const width of [1_280, 390]) {
      const page = await browser.open('running', '', { viewport: { width, height: 800 } });
      await page.locator('.timeline-item').waitFor();
      const legend = await page.locator('.panel-head .legend').innerText();
      expect(legend).toMatch(/waits for a slot\s+waits for its merge/);
      const overlaps = await page.evaluate<string[]>(`(() => {
        const boxes = [];
        for (const path of document.querySelectorAll('.timeline-scroll path.bar')) {
          for (const part of path.getAttribute('d').split('Z').filter(Boolean)) {
            const [, x, top] = /^M([\\d.]+) ([\\d.]+)/.exec(part);
            const xs = [...part.matchAll(/[MHL]([\\d.]+)/g)].map(([, value]) => Number(value));
            boxes.push({ top: Math.round(top / 4), left: Math.min(...xs), right: Math.max(...xs) });
          }
        }
        const found = [];
        for (const one of boxes) for (const other of boxes) {
          if (one === other || one.top !== other.top || one.left > other.left) continue;
          if (one.right > other.left + 0.6) found.push(JSON.stringify([one, other]));
        }
        return found.length === 0 && boxes.length < 24 ? ['only ' + boxes.length] : found;
      })()`);
      expect(overlaps).toEqual([]);
    }
  });

  it('shows versions, commit, host and plan of its run', async () => {
    const page = await browser.open('running');
    const text = await page.getByRole('region', { name: '1 run' }).innerText();
    for (const word of ['0.61.0', '20.19.0', '0c5ad7e1', 'builder-7', 'linux x64', 'convert.yaml'])
      expect(text).toContain(word);
  });

  it('shows expectations, tool calls, transcript and the session of a step', async () => {
    const page = await browser.open('running', stepHash(RUN_STEP));
    const dialog = page.getByRole('dialog', { name: RUN_STEP });
    const text = await dialog.innerText();
    expect(text).toMatch(
      /Expectations[\s\S]*src\/\*\.ts[\s\S]*npm test exited with 1[\s\S]*FAIL test/,
    );
    expect(text).toContain('npx gemini-cli-provider run --resume session-1');
    expect(text).toContain('the prompt had changed');
    expect(text).toMatch(/8\.0 s · waited 1\.0 s for a slot/);
    expect(await dialog.locator('.calls .call').allInnerTexts()).toEqual([
      expect.stringMatching(/read_file\s+src\/module-1\.js\s+12 ms/),
      expect.stringMatching(/run_shell_command\s+npm test[\s\S]*denied/),
    ]);
    expect(await dialog.locator('.entry-kind').allInnerTexts()).toEqual([
      'Prompt',
      'Thought',
      'Tool',
      'Model',
      'Tool',
      'Repair',
      'Failure',
    ]);
    await dialog.getByText('Output', { exact: true }).click();
    expect(await dialog.getByRole('region', { name: /^Output of/ }).innerText()).toBe(
      HOSTILE.markup,
    );
    await show(page, stepHash('convert[src/module-2.js]'));
    expect(await page.getByRole('dialog').innerText()).toContain('no transcript of the step');
  });

  it.each([{ colorScheme: 'light' }, { colorScheme: 'dark', ...PHONE }] as const)(
    'has valid roles, names and contrasts: %j',
    async (options) => {
      const page = await browser.open('running', '', options);
      await page.evaluate(axe.source);
      for (const hash of ['#overview', '#steps', stepHash(RUN_STEP)]) {
        await page.goto(browser.addressOf('running', hash));
        await page.locator('.row, .tile').first().waitFor({ state: 'attached' });
        const found = await page.evaluate<string[]>(
          `axe.run({ rules: { 'skip-link': { enabled: false } } })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))`,
        );
        expect(found).toEqual([]);
        const boxes = `[document.documentElement, document.querySelector('.drawer-body')]
          .filter((box) => box !== null && box.scrollWidth > box.clientWidth).length`;
        expect(await page.evaluate(boxes), hash).toBe(0);
      }
    },
  );
});

describe('the lists', () => {
  it('are searched from anywhere by pressing /', async () => {
    const page = await browser.open('small');
    await page.keyboard.press('/');
    await page.keyboard.type('invoice');
    await expect.poll(() => rowNames(page)).toEqual(['convert[src/invoice.ts]']);
    expect(await page.locator('mark').first().innerText()).toBe('invoice');
    expect(await page.locator('#nav').innerText()).toMatch(/Steps\s*1\s+Files\s*2/);
    await page.getByRole('link', { name: 'Files' }).click();
    await expect
      .poll(() => page.locator('.row .path').allInnerTexts())
      .toEqual(['src/invoice.js', 'src/invoice.ts']);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.row').count()).toBe(small.files.length);
  });

  it('also find prompts and texts, and show the match', async () => {
    const page = await browser.open('small', '#steps');
    await page.getByRole('searchbox').fill('zod orders');
    await expect.poll(() => rowNames(page)).toEqual(['schema']);
    expect(await page.locator('.row-snippet').innerText()).toContain('a zod schema for the JSON');
  });

  it('are filtered by state', async () => {
    const page = await browser.open('small', '#steps');
    await page.getByRole('navigation', { name: 'Filter by state' }).getByText('skipped').click();
    await expect.poll(() => rowNames(page)).toEqual(['docs', 'changelog']);
    await page.goBack();
    await expect.poll(() => rowNames(page)).toHaveLength(16);
  });

  it('keep the focus on the chosen filter, and restore the scroll position', async () => {
    const page = await browser.open('large', '#steps');
    await page.getByRole('link', { name: 'failed 27' }).press('Enter');
    await expect.poll(() => rowNames(page)).toHaveLength(27);
    expect(await focused(page)).toMatch(/^failed/);
    await page.getByLabel('Sort').selectOption('duration');
    await expect.poll(() => page.url()).toContain('sort=duration');
    await show(page, '#overview');
    await page.getByRole('link', { name: 'All 1,000 steps by tokens' }).focus();
    const scrollY = await page.evaluate<number>('scrollY');
    await page.keyboard.press('Enter');
    await page.locator('.step-row').first().waitFor({ state: 'attached' });
    expect(await focused(page)).toBe('Steps, 1,000 shown');
    await page.goBack();
    await page.locator('.tile').first().waitFor();
    expect(scrollY).toBeGreaterThan(300);
    expect(await page.evaluate('scrollY')).toBe(scrollY);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await browser.open('small');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^Steps/);
    await page.keyboard.press('Enter');
    await page.locator('.step-row').first().waitFor({ state: 'attached' });
    // Tab stops: Files, the search, the colours, seven filters, the order, and one for the whole list.
    for (let stop = 0; stop < 11; stop += 1) await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^schema/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toMatch(/^lint-rules/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'lint-rules' });
    await dialog.waitFor();
    expect(await focused(page)).toBe('lint-rules');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toMatch(/^lint-rules/);
    await page.keyboard.press('End');
    expect(await focused(page)).toMatch(/^hostile/);
  });
});

describe('a step', () => {
  it('is shown with all its details', async () => {
    const page = await browser.open('small', stepHash('lint-rules'));
    const text = await page.getByRole('dialog', { name: 'lint-rules' }).innerText();
    expect(text).toContain('RATE_LIMITED, retried');
    expect(text).toContain('Too many requests: wait 20 s.');
    expect(await page.locator('.attempt').allInnerTexts()).toEqual([
      expect.stringContaining('· generation lint-generation-1'),
      expect.stringContaining('· generation lint-generation-2'),
    ]);
    expect(text).toContain('Set up the linter.');
    expect(text).toContain('The linter is set up, but I could not run it.');
    expect(text).toContain('run_shell_command policy Tool execution denied by policy.');
    expect(text).toContain('.lint.json');
    expect(text).toContain('worktree');
  });

  it('shows its data in colours', async () => {
    const page = await browser.open('small', stepHash('schema'));
    const data = page.getByRole('region', { name: 'Data' });
    expect(JSON.parse(await data.innerText())).toEqual(small.steps[0]?.data);
    expect(await data.locator('.code-attr').count()).toBe(3);
  });

  it('links to its neighbours, and the back button returns', async () => {
    const page = await browser.open('small', '#steps?state=failed');
    await page.getByRole('link', { name: FAILED_STEP }).click();
    await page.getByRole('link', { name: 'next' }).click();
    await page.getByRole('dialog', { name: 'review' }).waitFor();
    expect(await focused(page)).toBe('next');
    await page.goBack();
    await page.getByRole('dialog', { name: FAILED_STEP }).waitFor();
    await page.goForward();
    await page.getByRole('dialog', { name: 'review' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(page.url()).toBe(browser.addressOf('small', '#steps?state=failed'));
    expect(await focused(page)).toContain(FAILED_STEP);
  });

  it('that the report does not have is reported as missing', async () => {
    const page = await browser.open('small', '#step/none');
    await page.getByText('The report has no step of this name.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('opened by its URL is closed to the list, with the focus on its row', async () => {
    const page = await browser.open('small', stepHash('docs'));
    await page.getByRole('dialog', { name: 'docs' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(page.url()).toBe(browser.addressOf('small', '#steps'));
    expect(await focused(page)).toMatch(/^docs/);
  });

  it('is closed to the view behind it, even after a reload', async () => {
    const page = await browser.open('small');
    await page.getByRole('link', { name: 'changelog' }).click();
    await page.getByRole('dialog', { name: 'changelog' }).waitFor();
    await page.reload();
    await page.getByRole('dialog', { name: 'changelog' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(page.url()).toBe(browser.addressOf('small', ''));
  });

  it('is closed when a search begins', async () => {
    const page = await browser.open('small', stepHash('docs'));
    await page.getByRole('dialog', { name: 'docs' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Search step ids, prompts, texts and file paths');
  });
});

describe('a file', () => {
  it('shows its changes by each step, highlighted', async () => {
    const page = await browser.open('small', '#files');
    expect(await page.locator('[class^="code-"]').count()).toBe(0);
    await page.locator('a[href="#file/src/order.ts"]').click();
    const dialog = page.getByRole('dialog', { name: 'src/order.ts' });
    await dialog.waitFor();
    expect(await dialog.locator('.change h3 a').allInnerTexts()).toEqual([
      'convert[src/order.ts]',
      FAILED_STEP,
    ]);
    expect(await dialog.locator('.banner').innerText()).toContain('Conflict');
    const first = dialog.locator('.change').first();
    expect(await first.locator('.added, .removed').allInnerTexts()).toEqual(['+6', '−4']);
    const added = first.locator('.line.is-added').first();
    expect(await added.innerText()).toMatch(/2\s+\+\s+import \{ orderSchema, type Order \}/);
    expect(await added.locator('.code-keyword').allInnerTexts()).toEqual([
      'import',
      'type',
      'from',
    ]);
    // Each line of a comment over many lines is highlighted as a comment.
    const comments = first.locator('.line:has(.code-comment)');
    expect(await comments.filter({ hasText: 'Amounts are in cents' }).count()).toBe(2);
  });

  it('is opened from a step, and Escape returns to the view behind it', async () => {
    const page = await browser.open('small', '#steps');
    await page.getByRole('link', { name: FAILED_STEP }).first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'src/order.ts', exact: true }).click();
    await page.getByRole('dialog', { name: 'src/order.ts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(page.url()).toBe(browser.addressOf('small', '#steps'));
    expect(await focused(page)).toContain(FAILED_STEP);
  });
});

describe('a sensitive file', () => {
  it('is counted in the summary, and marked with the reason wherever it is listed (claim: sensitive-in-report)', async () => {
    const page = await browser.open('small');
    await page.getByRole('link', { name: '2 sensitive' }).click();
    await page.locator('.file-row .note.is-warning').first().waitFor();
    const rows = page.locator('.row .file-row');
    expect(await rows.count()).toBe(2);
    const row = rows.filter({ hasText: 'package.json' });
    const badge = row.locator('.note.is-warning', { hasText: 'sensitive' });
    expect(await badge.getAttribute('title')).toBe(SENSITIVE);
    await row.click();
    const file = page.getByRole('dialog', { name: 'package.json' });
    const reason = SENSITIVE.replaceAll('`', '');
    expect(await file.locator('.banner').innerText()).toContain(`Sensitive: ${reason}`);
    await show(page, stepHash('schema'));
    const listed = page.locator('.file-list li', { hasText: 'package.json' });
    expect(await listed.innerText()).toMatch(/sensitive\s*The scripts of package\.json run/);
  });
});

describe('hostile texts', () => {
  const hashes = [
    '#overview',
    '#steps',
    '#files',
    '#steps?q=script',
    stepHash(HOSTILE.stepId),
    formatRoute({ view: 'file', path: HOSTILE.path }),
    stepHash(HOSTILE.markup),
  ];

  it('are shown and run nothing', async () => {
    const page = await browser.open('small');
    for (const hash of hashes) {
      await show(page, hash);
      for (const summary of await page.locator('summary:visible').all()) await summary.click();
      expect(await page.locator('img, iframe, object, script').count()).toBe(2);
      expect(await page.evaluate('globalThis.harm')).toBeUndefined();
    }
  });

  it('of many kinds, in every field, run and load nothing (claim: report-runs-nothing)', async () => {
    const page = await browser.open('hostile');
    const inert = 'img, iframe, object, embed, base, link[rel], form, math, style:not(head style)';
    const own = await page.locator(inert).count();
    const views = ['#overview', '#steps', '#files', '#files?kind=sensitive', '#steps?q=script'];
    const details = PAYLOADS.flatMap((payload, index) => [
      stepHash(`matrix[${payload}]`),
      formatRoute({ view: 'file', path: payloadPath(index) }),
    ]);
    for (const hash of [...views, ...details]) {
      await show(page, hash);
      expect(await page.locator(inert).count(), hash).toBe(own);
      expect(await page.locator('script').count(), hash).toBe(2);
      expect(await page.evaluate('globalThis.harm'), hash).toBeUndefined();
    }
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a')].map(({ href }) => href)`,
    );
    expect(links).toEqual(links.map(() => expect.stringMatching(/^file:/)));
  });

  it('are shown unchanged, with invisible characters revealed', async () => {
    const page = await browser.open('small', stepHash(HOSTILE.stepId));
    expect(await page.getByRole('region', { name: 'Prompt' }).innerText()).toContain(
      [
        HOSTILE.markup,
        HOSTILE.quotes,
        'one[U+2028]two[U+2029]three',
        'evil[U+202E]gnp.exe[U+2066]',
      ].join('\n'),
    );
    await page.locator('.file-list a').click();
    expect(await page.locator('.line.is-added').first().innerText()).toContain(HOSTILE.quotes);
  });

  it('cannot load or run anything even as markup', async () => {
    const page = await browser.openUnwatched();
    const failures: (string | undefined)[] = [];
    page.on('requestfailed', (request) => failures.push(request.failure()?.errorText));
    await page.goto(browser.addressOf('small', ''));
    const tried = await page.evaluate(`(async () => {
      const image = new Image();
      image.src = 'https://example.invalid/a.png';
      const isRefused = await new Promise((resolve) => {
        image.onload = () => resolve(false);
        image.onerror = () => resolve(true);
      });
      const fetched = await fetch('https://example.invalid/').then(() => true, () => false);
      let isMarkup = true;
      try { document.body.innerHTML = '<b>x</b>'; } catch { isMarkup = false; }
      let isHandler = true;
      try { document.body.setAttribute('onclick', 'globalThis.harm = 9'); } catch { isHandler = false; }
      return { isRefused, fetched, isMarkup, isHandler };
    })()`);
    expect(tried).toEqual({ isRefused: true, fetched: false, isMarkup: false, isHandler: false });
    // The page's own policy refused the request before it reached the network.
    expect(failures).toEqual(['csp']);
  });
});

describe('the design', () => {
  it('follows the system until the user chooses colours', async () => {
    const page = await browser.open('small', '', { colorScheme: 'dark' });
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    expect(dark).not.toBe(light);
    const toggle = page.getByRole('button', { name: 'Colours' });
    await toggle.click();
    await toggle.click();
    expect(await background()).toBe(dark);
    await page.reload();
    expect(await background()).toBe(dark);
    await toggle.click();
    expect(await background()).toBe(light);
  });

  it('fits a phone', async () => {
    const page = await browser.open('small', '', PHONE);
    for (const hash of [
      '#overview',
      '#steps',
      '#steps?q=order',
      '#files',
      stepHash(FAILED_STEP),
      stepHash(HOSTILE.stepId),
      '#file/src/order.ts',
      formatRoute({ view: 'file', path: HOSTILE.path }),
    ]) {
      await show(page, hash);
      const overflowing = await page.evaluate(
        `[document.documentElement, document.querySelector('.drawer-body')]
          .filter((box) => box !== null && box.scrollWidth > box.clientWidth).length`,
      );
      expect(overflowing, hash).toBe(0);
    }
  });

  const views = [
    '#overview',
    '#steps?q=order',
    '#files',
    stepHash(FAILED_STEP),
    '#file/src/order.ts',
  ];

  it.each([{ colorScheme: 'light' }, { colorScheme: 'dark', ...PHONE }] as const)(
    'has valid roles, names and contrasts: %j',
    async (options) => {
      const page = await browser.open('small', '', options);
      await page.evaluate(axe.source);
      for (const hash of views) {
        await page.goto(browser.addressOf('small', hash));
        await page.locator('.row, .tile').first().waitFor({ state: 'attached' });
        const found = await page.evaluate<string[]>(
          // The href of every link begins with #, so that axe takes each link for a skip link.
          `axe.run({ rules: { 'skip-link': { enabled: false } } })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))`,
        );
        expect(found).toEqual([]);
      }
    },
  );

  it('prints whole lists', async () => {
    const page = await browser.open('large', '#steps');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('.row').count()).toBe(1_000);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await page.locator('.row').count()).toBeLessThan(100);
  });
});

describe('a report of 1,000 steps and 5,000 files', () => {
  const MOST_NODES = 1_500;
  const countNodes = (page: Page) => page.evaluate<number>('document.querySelectorAll("*").length');

  it('has a small overview', async () => {
    const page = await browser.open('large');
    await page.locator('.timeline-item').waitFor();
    expect(await countNodes(page)).toBeLessThan(MOST_NODES);
    await page.locator('.timeline-item').focus();
    await page.keyboard.press('End');
    expect(await focused(page)).toContain('module-0992');
    await page.getByRole('button', { name: 'Show 10 more of 17' }).click();
    expect(await page.locator('.failure-card').count()).toBe(20);
    // The last button names no more than there are.
    await page.getByRole('button', { name: 'Show 7 more', exact: true }).click();
    expect(await page.locator('.failure-card').count()).toBe(27);
  });

  it('shows the last step and the last file without building the others', async () => {
    const page = await browser.open('large', '#steps');
    for (const [hash, count, last] of [
      ['#steps', 1_000, large.steps.at(-1)?.id],
      ['#files', 5_000, large.files.at(-1)?.path],
    ] as const) {
      await show(page, hash);
      const lastRow = page.locator(`.row[aria-posinset="${count}"]`);
      expect(await lastRow.count()).toBe(0);
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await lastRow.waitFor();
      expect(await lastRow.innerText()).toContain(last);
      expect(await countNodes(page)).toBeLessThan(MOST_NODES);
      await page.evaluate('scrollTo(0, 0)');
      await page.locator('.row[aria-posinset="1"] a').focus();
      await page.keyboard.press('End');
      expect(await focused(page)).toContain(last);
      await page.keyboard.press('Home');
      await expect.poll(() => page.locator('.row[aria-posinset="1"]').isVisible()).toBe(true);
      expect(await countNodes(page)).toBeLessThan(MOST_NODES);
    }
  });

  it('keeps the focus on a row that is scrolled out of view', async () => {
    const page = await browser.open('large', '#steps');
    await page.locator('.row[aria-posinset="3"] a').focus();
    await page.evaluate('scrollTo(0, 20000)');
    await page.locator('.row[aria-posinset="550"]').waitFor();
    expect(await focused(page)).toContain('module-0002');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toContain('module-0003');
  });

  it('can be searched', async () => {
    const page = await browser.open('large');
    await page.getByRole('searchbox').fill('module 777');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(await page.locator('#nav').innerText()).toMatch(/Steps\s*1\s+Files\s*5/);
    await page.goBack();
    await page.locator('.tile').first().waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });
});
