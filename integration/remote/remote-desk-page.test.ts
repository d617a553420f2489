import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installHooks } from 'gemini-cli-provider/remote';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shell } from '../tool-calls.js';
import { sessionOf, startAtDesk } from './desk-lab.js';
import { findPageProblems, launchBrowser, pairPhone } from './phone.js';
import { isolateTmux, openRemoteLab, type RemoteLab, until } from './remote-lab.js';
import { QUESTIONS } from './scripted-questions.js';

const SHELL = shell('echo hi > out.txt');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const tap = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).tap();

async function prompt(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text);
  await tap(page, 'Send');
}

const bodies = ({ model }: RemoteLab): string => JSON.stringify(model.requests);

it('a phone answers the dialogs of a session at the desk: questions, an unknown dialog, a denial whose reason reaches the model', {
  timeout: 180_000,
}, async () => {
  isolateTmux();
  const lines = Array.from({ length: 60 }, (_line, row) => `Line ${row}\n\n`);
  const lab = await openRemoteLab([
    { prompt: 'I refused', turns: [{ text: 'Then I will not.' }] },
    { prompt: 'questions', turns: [{ toolCalls: [QUESTIONS] }, { text: 'Thanks for all.' }] },
    { prompt: 'shell', turns: [{ toolCalls: [SHELL] }, { text: 'Shell is over.' }] },
    { turns: [{ text: lines, chunkDelayMs: 40 }] },
  ]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const desk = await startAtDesk(lab);
  const page = await pairPhone(browser, lab.remote, 'phone');
  await page.getByRole('link', { name: /at the desk/ }).tap();
  // The text is shown while it is written, also when its prompt has scrolled off the screen at the desk.
  await prompt(page, 'a long text');
  const written = page.getByLabel('Gemini is writing');
  await expect
    .poll(() => written.innerText(), { interval: 20, timeout: 20_000 })
    .toMatch(/^Line 0\n.*Line 4\d/s);
  await page.getByText('Line 59').waitFor();

  // The questions of the agent. The card is below the screen until the person jumps to it.
  await until(() => sessionOf(lab, desk.id)?.state === 'ready');
  await prompt(page, 'questions please');
  const card = page.getByRole('group', { name: 'Needs you' });
  await card.waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await expect.poll(() => isOnScreen(page)).toBe(false);
  await page.getByRole('link', { name: 'Needs you' }).tap();
  await expect.poll(() => isOnScreen(page)).toBe(true);
  expect(await findPageProblems(page)).toEqual([]);
  const answer = page.getByRole('button', { name: 'Answer' });
  const colors = page.getByRole('group', { name: 'Pick colors' });
  await colors.getByLabel('Red').check();
  await colors.getByLabel('Blue').check();
  await page.getByRole('group', { name: 'Which size?' }).getByLabel('Blue').check();
  expect(await answer.isDisabled()).toBe(true);
  await page.getByLabel('What name?').fill('Ada! L');
  await answer.tap();
  await page.getByText('Answered by phone').waitFor();
  await page.getByText('Thanks for all.').waitFor();
  expect(bodies(lab)).toMatch(/Red, Blue.*Blue.*Ada! L/);

  // A dialog that no hook announces is shown by its text, and each option is a button.
  await until(() => sessionOf(lab, desk.id)?.state === 'ready');
  await desk.type('/model', 'Enter');
  await card.getByText('Select Model').first().waitFor();
  await card.getByRole('button', { name: /^Manual/ }).tap();
  const pro = card.getByRole('button', { name: 'gemini-2.5-pro', exact: true });
  await pro.waitFor();
  expect(await findPageProblems(page)).toEqual([]);
  await pro.tap();
  await card.waitFor({ state: 'detached' });

  // The dialog of a call is open at the desk: the page says what a denial does before the person taps.
  await until(() => sessionOf(lab, desk.id)?.state === 'ready');
  await prompt(page, 'shell please');
  await card.getByText('Deny ends the turn, and the agent forgets it.').waitFor();
  expect(await findPageProblems(page)).toEqual([]);
  await card.getByLabel('Reason for the model').fill('not today!');
  await tap(page, 'Deny');
  await page.getByText('Then I will not.').waitFor();
  const last = lab.model.requests.find((request) => request.prompt.startsWith('I refused'));
  expect(last?.prompt).toContain(
    'I refused the call of run_shell_command (echo hi > out.txt): not today!\n\nMy request was:\nshell please',
  );
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);

  // The refused turn stays on the page, also after a new start of the page.
  const forgotten = page.locator('.is-forgotten', { hasText: 'shell please' });
  await forgotten.getByText('the agent has forgotten this turn').waitFor();
  await page.getByText('Denied by phone: not today!').waitFor();
  await page.reload();
  await forgotten.waitFor();
  expect(await page.getByText('Then I will not.').count()).toBe(1);
  await page.getByRole('link', { name: 'Gemini sessions' }).tap();
  await page.getByText(/at the desk · .* tokens · about \$0\.0/).waitFor();
});

/** True if the open request is within the screen. */
function isOnScreen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top } = document.querySelector('.request.is-open').getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  })()`);
}
