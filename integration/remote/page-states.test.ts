import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServer } from '../../test/remote/server/open-server.js';
import { openPageStates, requestOf } from './page-states.js';
import { findPageProblems, launchBrowser, openDevice } from './phone.js';
import { pairPage } from './phone-browser.mjs';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Opens the page of a phone on a server whose sessions have no agent. */
async function openStates() {
  const control = openPageStates();
  const server = await openServer(control);
  const page = await openDevice(browser);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await pairPage(page, `${server.url}/#pair=${server.devices.createCode()}`, 'phone');
  /** Goes to a part of the page. */
  const open = (address: string) => page.evaluate(`location.hash = '${address}'`);
  return { control, page, complaints, open };
}

const tap = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).tap();

const scrolled = (page: Page) => page.evaluate<number>('document.documentElement.scrollTop');

it('every part of the page is clean in light and in dark, with everything that a conversation can show', async () => {
  const { page, complaints, open } = await openStates();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const address of ['#/', '#/new', '#/settings', '#/session/watch', '#/session/gone']) {
      await open(address);
      await page.locator('main').waitFor();
      expect(await findPageProblems(page), `${address} ${colorScheme}`).toEqual([]);
    }
    await open('#/session/rich');
    await page.getByText('And then the tests').waitFor();
    await page.locator('summary').evaluateAll((all) => {
      for (const summary of all) summary.parentElement?.setAttribute('open', '');
    });
    expect(await findPageProblems(page), colorScheme).toEqual([]);
    await tap(page, 'Actions');
    await page.getByLabel('Search this session').fill('the');
    await page.getByText('rows have the text “the”').waitFor();
    expect(await findPageProblems(page), colorScheme).toEqual([]);
    // The last rule can be revoked on a small phone, although the actions are higher than its screen.
    const revoke = page.getByRole('button', { name: 'Revoke' }).last();
    await revoke.scrollIntoViewIfNeeded();
    expect(await isReachable(revoke)).toBe(true);
  }
  expect(complaints).toEqual([]);
});

/** True if an element can be tapped: nothing lies above it. */
function isReachable(element: Locator): Promise<boolean> {
  return element.evaluate((found) => {
    const { left, top, width, height } = found.getBoundingClientRect();
    return found.ownerDocument.elementFromPoint(left + width / 2, top + height / 2) === found;
  });
}

it('hostile text stays text, and pushes nothing to the side', async () => {
  const { page, complaints, open } = await openStates();
  expect(await findPageProblems(page)).toEqual([]);
  await open('#/session/hostile');
  await page.getByText('deep list').waitFor();
  await page.locator('summary').evaluateAll((all) => {
    for (const summary of all) summary.parentElement?.setAttribute('open', '');
  });
  expect(await findPageProblems(page)).toEqual([]);
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.locator('main a[href^=javascript]').count()).toBe(0);
  const text = await page.locator('main').innerText();
  expect(['\u202e', '\u001b'].filter((hidden) => text.includes(hidden))).toEqual([]);
  expect(complaints).toEqual([]);
});

it('each part of the page begins at its top, and the keyboard and a screen reader begin there, too', async () => {
  const { control, page, complaints, open } = await openStates();
  await page
    .getByRole('link', { name: /Please change the greeting/ })
    .last()
    .tap();
  await expect.poll(() => scrolled(page)).toBeGreaterThan(500);
  await page.getByRole('link', { name: 'Gemini sessions' }).tap();
  await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
  expect(await scrolled(page)).toBe(0);
  const isInMain = () => page.evaluate<boolean>(`document.activeElement.matches('main')`);
  expect(await isInMain()).toBe(true);

  // A question of another session is announced.
  const status = page.locator('.top').getByRole('status');
  await open('#/session/rich');
  await page.getByText('And then the tests').waitFor();
  const desk = control.list().find(({ id }) => id === 'desk');
  if (desk !== undefined) control.put({ ...desk, state: 'needs-you', openRequests: 1 });
  await status.getByText('At work at the desk needs you').waitFor();

  // A damaged address opens the list.
  await open('#/session/%E0%A4%A');
  await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
  expect(complaints).toEqual([]);
});

it('a search is seen while it hides rows, and the keyboard stays at a request that it has answered', async () => {
  const { page, open } = await openStates();
  await open('#/session/rich');
  await tap(page, 'Actions');
  await page.getByLabel('Search this session').fill('WHICH colours');
  await tap(page, 'Actions');
  const found = page.getByRole('status').getByText('1 row has the text “WHICH colours”');
  await found.waitFor();
  await tap(page, 'Show all');
  await found.waitFor({ state: 'detached' });

  // The link to the open request goes while its buttons are on the screen.
  const jump = page.locator('.jump');
  await jump.tap();
  await jump.waitFor({ state: 'detached' });
  const card = page.getByRole('group', { name: 'Needs you' }).first();
  const id = await card.getAttribute('id');
  await card.getByRole('button', { name: 'Allow', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Allowed by phone').waitFor();
  await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe(id);
});

it('the page does not move while a request is on the screen, and a second tap hits no other button', async () => {
  const { control, page, open } = await openStates();
  const say = (row: number) =>
    control.add('new', { type: 'notice', level: 'info', message: `Row ${row}` });
  for (let row = 0; row < 40; row++) say(row);
  control.add('new', requestOf('first'));
  await open('#/session/new');
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  const placeOf = () => allow.first().evaluate((button) => button.getBoundingClientRect().top);
  await expect.poll(() => isReachable(allow)).toBe(true);
  await page.locator('.jump').waitFor({ state: 'detached' });
  const before = await placeOf();
  control.add('new', requestOf('second'));
  for (let row = 40; row < 60; row++) say(row);
  await page.getByText('Row 59', { exact: true }).waitFor();
  expect(await placeOf()).toBe(before);

  // The buttons of the answered request keep their place for a moment, so those of the next one do not come up.
  await page.evaluate(NOTE_NEXT_ALLOW);
  await allow.first().tap();
  await page.getByText('Allowed by phone').waitFor();
  expect(await page.evaluate<number>('window.movedBy')).toBeGreaterThanOrEqual(0);
  await expect.poll(() => allow.count()).toBe(1);
  // The page follows its end again when no request is on the screen.
  await allow.evaluate((button) => button.click());
  await expect.poll(() => page.getByText('Allowed by phone').count()).toBe(2);
  say(60);
  const last = page.getByText('Row 60', { exact: true });
  await expect
    .poll(() => last.evaluate((row) => row.getBoundingClientRect().top))
    .toBeLessThan(740);
});

/** Runs in the browser: by how much the last button that allows has moved when the first answer is shown. */
const NOTE_NEXT_ALLOW = `{
  const next = [...document.querySelectorAll('.answers .is-main')].at(-1);
  const { top } = next.getBoundingClientRect();
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main').innerText.includes('Allowed by phone')) return;
    window.movedBy = next.getBoundingClientRect().top - top;
    observer.disconnect();
  });
  observer.observe(document.querySelector('main'), { subtree: true, childList: true });
}`;

it('earlier rows come above the row that the person reads', async () => {
  const { control, page, open } = await openStates();
  for (let row = 0; row < 400; row++)
    control.add('new', { type: 'notice', level: 'info', message: `Row ${row}` });
  await open('#/session/new');
  await page.getByText('Row 399', { exact: true }).waitFor();
  const earlier = page.getByRole('button', { name: 'Show earlier rows' });
  await page.evaluate('scrollTo(0, 0)');
  const row = page.getByText('Row 280', { exact: true });
  const placeOf = () => row.evaluate((element) => element.getBoundingClientRect().top);
  const before = await placeOf();
  await earlier.evaluate((button) => button.click());
  await page.getByText('Row 160', { exact: true }).waitFor();
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(60);
});

it('a choice that the server refuses goes back, and a word that is being composed is not sent', async () => {
  const { control, page, open } = await openStates();
  await open('#/session/rich');
  await tap(page, 'Actions');
  control.refused = 'This device may not do that';
  const mode = page.getByRole('combobox', { name: 'Mode', exact: true });
  await mode.selectOption('auto_edit');
  // The person is at the end of a long page: the reason must be seen there.
  const problem = page.getByRole('alert').getByRole('button', { name: 'Close' });
  await problem.waitFor();
  expect(await isReachable(problem)).toBe(true);
  await expect.poll(() => mode.inputValue()).toBe('default');
  control.refused = undefined;

  // A phone: Enter begins a line.
  await open('#/session/new');
  const field = page.getByRole('textbox', { name: 'Prompt' });
  await field.fill('one');
  await field.press('Enter');
  expect(await field.inputValue()).toBe('one\n');
  // A computer: Enter sends, but not the Enter that ends a word. Safari tells that Enter by its code alone.
  const desktop = await (
    await browser.newContext({ storageState: await page.context().storageState() })
  ).newPage();
  await desktop.goto(page.url());
  const wide = desktop.getByRole('textbox', { name: 'Prompt' });
  await wide.fill('nihongo');
  await endWord(wide);
  expect(await wide.inputValue()).toBe('nihongo');
  expect(control.actions).not.toContain('prompt new');
  await wide.press('Enter');
  await expect.poll(() => control.actions).toContain('prompt new');
  await expect.poll(() => wide.inputValue()).toBe('');
  await desktop.context().close();
});

/** Presses the keys with which browsers tell the end of a word. */
function endWord(field: Locator): Promise<void> {
  return field.evaluate((element) => {
    const { KeyboardEvent } = element.ownerDocument.defaultView;
    const init = { key: 'Enter', bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent('keydown', { ...init, isComposing: true }));
    element.dispatchEvent(new KeyboardEvent('keydown', { ...init, keyCode: 229 }));
  });
}

it('a session is started in a folder of the list, or in another one', async () => {
  const { control, page, open } = await openStates();
  await open('#/new');
  const folder = page.getByRole('combobox', { name: 'Folder', exact: true });
  await expect.poll(() => folder.inputValue()).toBe('/root');
  await folder.selectOption('Another folder…');
  await page.getByRole('textbox', { name: 'Path of the folder' }).fill('/root/other');
  await tap(page, 'Start');
  await expect
    .poll(() => control.starts)
    .toMatchObject([{ folder: '/root/other', mode: 'default' }]);
});
