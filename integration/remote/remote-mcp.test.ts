import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installHooks } from 'gemini-cli-provider/remote';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendPrompt, sessionOf, startAtDesk } from './desk-lab.js';
import { launchBrowser, pairPhone } from './phone.js';
import { isolateTmux, nextRequest, openRemoteLab, PHONE, until } from './remote-lab.js';

const SERVER = join(import.meta.dirname, '..', 'programs', 'mcp-server.mjs');

let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

it('a call of an MCP server is shown with its arguments, and a rule for one of its tools holds for no other tool', async () => {
  isolateTmux();
  const callOf = (name: string, args: object) => ({
    toolCalls: [{ name: `mcp_louder_${name}`, args: { ...args } }],
  });
  const shout = callOf('shout', { text: 'a dear argument' });
  const lab = await openRemoteLab([
    {
      prompt: 'shout twice',
      turns: [shout, shout, callOf('save', { text: 'x', target: 'saved.txt' }), { text: 'Over.' }],
    },
    { turns: [{ text: 'Fine.' }] },
  ]);
  const settings = join(lab.model.env['GEMINI_CLI_HOME'] ?? '', '.gemini', 'settings.json');
  const mcpServers = { louder: { command: process.execPath, args: [SERVER] } };
  const before: object = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...before, mcpServers }));
  await installHooks({ state: lab.state, env: lab.model.env });
  const { id } = await startAtDesk(lab);
  const page = await pairPhone(browser, lab.remote, 'phone');
  await page.getByRole('link', { name: /at the desk/ }).tap();

  await sendPrompt(lab, id, 'shout twice and save');
  const first = await nextRequest(lab);
  expect(first).toMatchObject({
    toolName: 'mcp_louder_shout',
    input: { text: 'a dear argument' },
  });
  await page.getByRole('group', { name: 'Arguments' }).getByText('a dear argument').waitFor();
  await page.getByRole('button', { name: 'Allow for this session' }).tap();

  // The second shout is allowed by the rule. Saving is another tool.
  const saving = await until(() =>
    lab.remote.control.requests().find(({ toolName }) => toolName === 'mcp_louder_save'),
  );
  expect(saving.input).toEqual({ text: 'x', target: 'saved.txt' });
  await page.getByText('Allowed by a rule of this session').waitFor();
  expect(existsSync(join(lab.root, 'saved.txt'))).toBe(false);
  await lab.remote.control.decide(saving.id, { type: 'allow', inputHash: saving.inputHash }, PHONE);
  await until(() => existsSync(join(lab.root, 'saved.txt')));
  await until(() => sessionOf(lab, id)?.state === 'ready');
});
