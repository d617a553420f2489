import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startRemote } from 'gemini-cli-provider/remote';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../support.js';
import { findPageProblems, launchBrowser, openDevice, pairPhone } from './phone.js';
import {
  nextRequest,
  openRemoteLab,
  PHONE,
  type RemoteLab,
  until,
  WRITE_REQUEST,
} from './remote-lab.js';

const HOSTILE =
  '# Done\n\nI wrote `hello.js`. <img src=x onerror=alert(1)> [docs](https://example.com/x) <script>alert(1)</script> ' +
  'evil\u202Etxt.exe \u001b[31mred';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const tap = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).tap();

async function prompt(page: Page, text: string, button = 'Send'): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text);
  await tap(page, button);
}

async function startOn(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: 'New session' }).tap();
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text);
  await tap(page, 'Start');
}

const firstOf = ({ remote }: RemoteLab) => remote.control.list()[0];

it('a phone starts a session, allows a call, denies one with a reason, and gets everything again after a cut line (claim: remote-text-is-text)', async () => {
  const write = { name: 'write_file', args: { file_path: 'hello.js', content: 'hi\n' } };
  const shell = { name: 'run_shell_command', args: { command: 'echo hi > out.txt' } };
  const lab = await openRemoteLab([
    { prompt: 'write', turns: [{ toolCalls: [write] }, { text: HOSTILE }] },
    { prompt: 'now the', turns: [{ toolCalls: [shell] }, { text: 'As you like.' }] },
    { turns: [{ text: 'I see.' }] },
  ]);
  const page = await pairPhone(browser, lab.remote, 'phone');
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  expect(await findPageProblems(page)).toEqual([]);
  await startOn(page, 'Please write the file');
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  await expect.poll(() => page.getByText('needs you · default').count()).toBe(1);
  expect(await findPageProblems(page)).toEqual([]);
  await allow.tap();
  await page.getByText('Done', { exact: true }).waitFor();
  expect(readFileSync(join(lab.root, 'hello.js'), 'utf8')).toBe('hi\n');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.getByText('evil[U+202E]txt.exe [ESC][31mred').count()).toBe(1);
  expect(
    await page.getByRole('link', { name: 'docs (example.com)' }).getAttribute('rel'),
  ).toContain('noopener');

  await prompt(page, 'now the shell\nplease');
  await page.getByLabel('Reason for the model').fill('not today');
  await tap(page, 'Deny');
  await page.getByText('As you like.').waitFor();
  await until(() => JSON.stringify(lab.model.requests).includes('not today'));
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);

  // The line is cut while the session goes on. The page asks from its last entry on and shows each message once.
  await page.context().setOffline(true);
  const session = firstOf(lab);
  await until(() => firstOf(lab)?.state === 'ready');
  await lab.remote.control.prompt(
    session?.id ?? '',
    { promptId: 'prompt-0001', text: 'from elsewhere' },
    PHONE,
  );
  await until(
    () =>
      firstOf(lab)?.state === 'ready' && (firstOf(lab)?.lastSeq ?? 0) > (session?.lastSeq ?? 0) + 3,
  );
  await page.context().setOffline(false);
  await page.getByText('from elsewhere').waitFor();
  expect(await page.getByText('As you like.').count()).toBe(1);
  expect(await page.getByText('from elsewhere').count()).toBe(1);
  expect(await page.locator('.is-preview').count()).toBe(0);
  await page.getByRole('link', { name: 'Gemini sessions' }).tap();
  await page.getByRole('link', { name: /from here · .* tokens · about \$0\.0/ }).waitFor();
  expect(complaints).toEqual([]);
});

it('two devices lead one session: rules, queue, drafts, interrupt, mode, model, search; one is revoked, and the server goes and comes back', {
  timeout: 180_000,
}, async () => {
  const write = (file: string) => ({
    toolCalls: [{ name: 'write_file', args: { file_path: file, content: 'x\n' } }],
  });
  const lab = await openRemoteLab([
    { prompt: 'two files', turns: [write('a.txt'), write('b.txt'), { text: 'Both written.' }] },
    { prompt: 'endless', turns: [{ text: ['Counting', ' sheep'], endless: 'stall' }] },
    { turns: [{ text: 'I go on.' }] },
  ]);
  const phone = await pairPhone(browser, lab.remote, 'phone');
  const tablet = await pairPhone(browser, lab.remote, 'tablet');
  await startOn(phone, 'write two files');
  const forSession = phone.getByRole('button', { name: 'Allow for this session' });
  await forSession.waitFor();
  await tablet.getByRole('link', { name: 'Session that needs you: write two files' }).tap();
  await tablet.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  await forSession.tap();
  await tablet.getByText('Allowed for this session by phone').waitFor();
  await tablet.getByText('Allowed by a rule of this session').waitFor();
  await phone.getByText('Both written.').waitFor();
  expect(existsSync(join(lab.root, 'b.txt'))).toBe(true);

  await tap(tablet, 'Actions');
  await tap(phone, 'Actions');
  const rule = 'Allowed in this session by phone: write_file';
  await phone.getByText(rule).waitFor();
  await tap(tablet, 'Revoke');
  await phone.getByText(rule).waitFor({ state: 'detached' });
  await phone.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('auto_edit');
  await tablet.getByText('ready · auto_edit').waitFor();
  await phone.getByRole('combobox', { name: 'Model', exact: true }).selectOption('gemini-2.5-pro');
  await expect.poll(() => firstOf(lab)?.model).toBe('gemini-2.5-pro');
  await phone.getByLabel('Search this session').fill('both WRITTEN');
  await expect.poll(() => phone.getByText('Allowed by a rule of this session').count()).toBe(0);
  await phone.getByLabel('Search this session').fill('');
  await tap(phone, 'Actions');

  await prompt(phone, 'an endless story');
  await tablet.getByText('Counting sheep').waitFor();
  await prompt(phone, 'after that', 'Queue');
  await tablet.getByText('queued · phone').waitFor();
  await phone.getByRole('textbox', { name: 'Prompt' }).fill('not sent yet');
  await phone.reload();
  await phone.getByText('queued · phone').waitFor();
  expect(await phone.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('not sent yet');
  await tap(phone, 'Take back');
  await tablet.getByText('withdrawn · phone').waitFor();
  await tap(phone, 'Interrupt');
  await tablet.getByText('The turn was interrupted').waitFor();
  await expect.poll(() => tablet.locator('.is-preview').count()).toBe(0);
  const [, second] = lab.remote.devices();
  await lab.remote.revoke(second?.id ?? '');
  await tablet.getByRole('heading', { name: 'Pair this device' }).waitFor();

  // The server ends. A prompt is not lost, and goes out once when a server is there again.
  const { port } = lab.remote;
  await until(() => firstOf(lab)?.state === 'ready');
  await lab.remote.close();
  await phone.getByText('no connection, trying again…').waitFor();
  await tap(phone, 'Send');
  await phone.getByText('The server cannot be reached.').waitFor();
  expect(await phone.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('not sent yet');
  const state = join(makeFolder(), 'state');
  mkdirSync(state, { mode: 0o700 });
  cpSync(join(lab.state, 'devices.json'), join(state, 'devices.json'));
  backdateSessions(lab);
  const before = process.env['GEMINI_CLI_HOME'];
  process.env['GEMINI_CLI_HOME'] = lab.model.env['GEMINI_CLI_HOME'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['GEMINI_CLI_HOME'];
    else process.env['GEMINI_CLI_HOME'] = before;
  });
  const again = await startRemote({
    ...{ state, port, roots: [lab.root], config: lab.config, rights: ['watch'] },
  });
  onTestFinished(() => again.close());
  await phone.getByText('no connection, trying again…').waitFor({ state: 'detached' });

  // The new server has no log of the session: it is one of the past, and can be resumed.
  await phone.getByRole('link', { name: 'Gemini sessions' }).tap();
  await phone.getByRole('link', { name: /write two files.* past .* tokens · about \$0\.0/ }).tap();
  await tap(phone, 'Resume here');
  await prompt(phone, 'go on');
  await phone.getByText('I go on.').waitFor();
  expect(await phone.getByText('Both written.').count()).toBe(1);

  const guest = await pairPhone(browser, again, 'guest');
  expect(await guest.getByRole('link', { name: 'New session' }).count()).toBe(0);
  await guest.getByRole('link', { name: /write two files/ }).tap();
  await guest.getByText('This device may not send prompts: it lacks the right prompt.').waitFor();
  await guest.getByRole('link', { name: 'Settings' }).tap();
  await guest.getByText('may watch ·').waitFor();
  await guest.getByText('Push messages need --public-url').first().waitFor();
  expect(await findPageProblems(guest)).toEqual([]);

  // A link that is opened twice opens the page on the device that has used it, and pairs no other.
  const link = again.pairingUrl();
  await phone.goto(link);
  await phone.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
  await (await pairedBy(link, 'first')).close();
  const late = await openDevice(browser);
  await late.goto(link);
  await tap(late, 'Pair');
  await late.getByText('The code is wrong, used or too old.').waitFor();
});

async function pairedBy(link: string, name: string): Promise<Page> {
  const page = await openDevice(browser);
  await page.goto(link);
  await page.getByLabel('Name of this device').fill(name);
  await tap(page, 'Pair');
  await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
  return page;
}

/** Moves the start of all session files to a day before, so that resuming one waits for no UTC minute. */
function backdateSessions({ model }: RemoteLab): void {
  const home = join(model.env['GEMINI_CLI_HOME'] ?? '', '.gemini');
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    const [, day] = /session-(\d{4}-\d\d-\d\d)T[^/]*\.jsonl$/.exec(name) ?? [];
    if (day === undefined) continue;
    const file = join(home, name);
    const earlier = new Date(Date.parse(day) - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${day}T`, `"${earlier}T`));
    renameSync(file, file.replace(`session-${day}`, `session-${earlier}`));
  }
}

it('two tabs of one device, whose clock is hours late, answer once, send a draft once and start one session', async () => {
  const shell = { name: 'run_shell_command', args: { command: 'echo hi >> out.txt' } };
  const lab = await openRemoteLab([
    { prompt: 'append', turns: [{ toolCalls: [shell] }, { text: 'Appended.' }] },
    { turns: [(request) => ({ text: `Echo: ${request.prompt}` })] },
  ]);
  const one = await openDevice(browser);
  await one.context().addInitScript(LATE_CLOCK);
  await one.goto(lab.remote.pairingUrl());
  await tap(one, 'Pair');
  await one.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
  const other = await one.context().newPage();
  await other.goto(lab.remote.url);
  const both = (act: (page: Page) => Promise<unknown>) => Promise.all([one, other].map(act));

  // The form in both tabs shows what was typed in one of them.
  await both((page) => page.getByRole('link', { name: 'New session' }).tap());
  await one.getByRole('textbox', { name: 'Prompt' }).fill('append a line');
  const typed = () => other.getByRole('textbox', { name: 'Prompt' }).inputValue();
  await expect.poll(typed).toBe('append a line');
  await clickIn([one, other], 'Start');
  // One tab has sent the draft. The form of the other one is empty then.
  const started = await until(() => firstOf(lab));
  await both((page) => page.evaluate(`location.hash = '#/session/${started.id}'`));
  const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });
  await both((page) => allow(page).waitFor());
  expect(lab.remote.control.list().length).toBe(1);
  await clickIn([one, other], 'Allow');
  await both((page) => page.getByText('Appended.').waitFor());
  await both((page) => page.getByText('Allowed by').waitFor());
  expect(readFileSync(join(lab.root, 'out.txt'), 'utf8')).toBe('hi\n');

  await until(() => firstOf(lab)?.state === 'ready');
  await other.getByRole('textbox', { name: 'Prompt' }).fill('only once');
  await expect
    .poll(() => one.getByRole('textbox', { name: 'Prompt' }).inputValue())
    .toBe('only once');
  await clickIn([one, other], 'Send');
  await both((page) => page.getByText('Echo: only once').waitFor());
  await until(() => firstOf(lab)?.state === 'ready');
  expect(lab.model.requests.filter((request) => request.prompt === 'only once').length).toBe(1);
  await expect.poll(typed).toBe('');
  // The same text is sent again if the person wants it.
  await prompt(one, 'only once');
  await expect.poll(() => other.getByText('Echo: only once').count()).toBe(2);
});

/** Clicks a button in several tabs at once. A button that has become useless meanwhile is clicked, too. */
async function clickIn(pages: readonly Page[], name: string): Promise<void> {
  const find = (page: Page) => page.getByRole('button', { name, exact: true }).elementHandle();
  const buttons = await Promise.all(pages.map(find));
  await Promise.all(buttons.map((button) => button?.dispatchEvent('click')));
}

/** Runs in the browser: its clock is nine hours late. */
const LATE_CLOCK = `{
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) {
      if (given.length > 0) super(...given);
      else super(Right.now() - 9 * 60 * 60 * 1000);
    }
    static now() {
      return Right.now() - 9 * 60 * 60 * 1000;
    }
  };
}`;

it('the first of two answers wins, and a server that comes back has the whole log', async () => {
  const write = { name: 'write_file', args: { file_path: 'a.txt', content: 'a' } };
  const lab = await openRemoteLab([{ toolCalls: [write] }, { text: 'Written.' }]);
  const { control } = lab.remote;
  const id = await control.start(
    { startId: 'start-0001', folder: lab.root, prompt: 'write it' },
    PHONE,
  );
  expect(
    await control.start({ startId: 'start-0001', folder: lab.root, prompt: 'write it' }, PHONE),
  ).toBe(id);
  const { id: requestId, inputHash } = await nextRequest(lab);
  const answers = await Promise.allSettled([
    control.decide(requestId, { type: 'allow', inputHash }, { name: 'phone', isDesk: false }),
    control.decide(requestId, { type: 'deny' }, { name: 'tablet', isDesk: false }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await until(() => control.list()[0]?.state === 'ready');
  const before = await control.entries(id);
  await lab.remote.close();
  const again = await startRemote({ state: lab.state, roots: [lab.root], config: lab.config });
  onTestFinished(() => again.close());
  const after = await again.control.entries(id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(again.control.list()[0]).toMatchObject({
    id,
    state: 'ended',
    capabilities: { takeOver: true },
  });
});

it('the jump finds a request above the rows that are shown, and one that the search hides', async () => {
  const lab = await openRemoteLab([]);
  const engine = await lab.remote.openSession({ folder: lab.root, title: 'Many steps' });
  const answer = engine.ask('first', WRITE_REQUEST);
  for (let row = 0; row < 300; row++) engine.note('info', `Row ${row}`);
  const page = await pairPhone(browser, lab.remote, 'phone');
  await page.getByRole('link', { name: 'Session that needs you: Many steps' }).tap();
  await page.getByText('Row 299', { exact: true }).waitFor();
  const card = page.getByRole('group', { name: 'Needs you' });
  expect(await card.count()).toBe(0);
  await tap(page, 'Actions');
  await page.getByLabel('Search this session').fill('Row 29');
  await page.getByText('Row 280', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Needs you' }).tap();
  await expect.poll(() => card.evaluate((row) => row.matches(':focus'))).toBe(true);
  await card.getByRole('button', { name: 'Allow', exact: true }).tap();
  expect(await answer).toBe('allow_once');
});
