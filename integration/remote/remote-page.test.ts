import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import chromiumBinary from '@sparticuz/chromium';
import { chromium, type Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { nextRequest, openRemoteLab, PHONE, type RemoteLab, until } from './remote-lab.js';

const HOSTILE =
  '# Done\n\nI wrote `hello.js`. <img src=x onerror=alert(1)> [docs](https://example.com/x) <script>alert(1)</script>';

async function openPage({ remote }: RemoteLab): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: await chromiumBinary.executablePath(),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
  });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto(remote.pairingUrl());
  await page.getByRole('button', { name: 'Pair' }).tap();
  await page.getByRole('link', { name: 'New session' }).waitFor();
  return page;
}

it('a phone starts a session, allows a call, denies one with a reason, and gets everything again after a cut line', async () => {
  const write = { name: 'write_file', args: { file_path: 'hello.js', content: 'hi\n' } };
  const shell = { name: 'run_shell_command', args: { command: 'echo hi > out.txt' } };
  const lab = await openRemoteLab([
    { prompt: 'write', turns: [{ toolCalls: [write] }, { text: HOSTILE }] },
    { prompt: 'now the', turns: [{ toolCalls: [shell] }, { text: 'As you like.' }] },
    { turns: [{ text: 'I see.' }] },
  ]);
  const page = await openPage(lab);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.getByRole('link', { name: 'New session' }).tap();
  await page.getByLabel('Prompt').fill('Please write the file');
  await page.getByRole('button', { name: 'Start' }).tap();
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  await expect.poll(() => page.getByText('needs-you').count()).toBe(1);
  await allow.tap();
  await page.getByText('Done', { exact: true }).waitFor();
  expect(readFileSync(join(lab.root, 'hello.js'), 'utf8')).toBe('hi\n');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(
    await page.getByRole('link', { name: 'docs (example.com)' }).getAttribute('rel'),
  ).toContain('noopener');

  await page.getByLabel('Prompt').fill('now the shell\nplease');
  await page.getByRole('button', { name: 'Send' }).tap();
  await page.getByLabel('Reason for the model').fill('not today');
  await page.getByRole('button', { name: 'Deny' }).tap();
  await page.getByText('As you like.').waitFor();
  await until(() => JSON.stringify(lab.model.requests).includes('not today'));
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);

  // The line is cut while the session goes on. The page asks from its last entry on and shows each message once.
  await page.context().setOffline(true);
  const [session] = lab.remote.control.list();
  await until(() => lab.remote.control.list()[0]?.state === 'ready');
  await lab.remote.control.prompt(
    session?.id ?? '',
    { promptId: 'prompt-0001', text: 'from elsewhere' },
    PHONE,
  );
  await until(
    () =>
      lab.remote.control.list()[0]?.state === 'ready' &&
      (lab.remote.control.list()[0]?.lastSeq ?? 0) > (session?.lastSeq ?? 0) + 3,
  );
  await page.context().setOffline(false);
  await page.getByText('from elsewhere').waitFor();
  expect(await page.getByText('As you like.').count()).toBe(1);
  expect(await page.getByText('from elsewhere').count()).toBe(1);

  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  const violations = await page.evaluate(async () => {
    const axe: { run(): Promise<{ violations: { id: string }[] }> } = Reflect.get(
      globalThis,
      'axe',
    );
    return (await axe.run()).violations.map(({ id }) => id);
  });
  expect(violations).toEqual([]);
  expect(complaints).toEqual([]);
});

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
  const { startRemote } = await import('gemini-cli-provider/remote');
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
