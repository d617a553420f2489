import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isObject } from '../../src/base/json/is-object.js';
import { startBatch } from '../batch-command.js';
import { makeFolder, openLab } from '../support.js';
import { openStream, pairDevice, until } from './remote-lab.js';

/** Starts `batch --remote` on a plan of two steps, which both ask for a permission. */
async function startRemoteBatch(flags: readonly string[]) {
  const shell = (file: string) => ({
    toolCalls: [{ name: 'run_shell_command', args: { command: `touch ${file}` } }],
  });
  const lab = await openLab([
    { prompt: 'the first', turns: [shell('first.txt'), { text: 'The first is over.' }] },
    { prompt: 'the second', turns: [shell('second.txt'), { text: 'The second is over.' }] },
  ]);
  const steps = ['first', 'second'].map((id) => ({ id, prompt: `Do the ${id} thing.` }));
  writeFileSync(join(lab.workspace, 'plan.json'), JSON.stringify({ steps }));
  const folders = ['--state', makeFolder(), '--remote-state', join(makeFolder(), 'state')];
  const settings = ['--trust-workspace', '-m', 'gemini-2.5-flash', '--approval-mode', 'auto_edit'];
  const batch = startBatch(lab, ['plan.json', '--remote', ...folders, ...settings, ...flags]);
  onTestFinished(() => void batch.child.kill());
  return { ...batch, folder: lab.workspace, model: lab.model };
}

it('a batch asks on a device instead of refusing, shows its progress there, and ends its server', async () => {
  const { child, done, folder } = await startRemoteBatch(['--remote-port', '0', '-n', '2']);
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const link = await until(() => /(http:\S+)\/#pair=([\w-]+)/.exec(printed) ?? undefined);
  const remote = {
    port: Number(new URL(`${link[1]}`).port),
    pairingUrl: () => link[0],
  };
  const device = await pairDevice({ remote });
  const readRequests = async (): Promise<Record<string, unknown>[]> => {
    const { requests } = (await device('GET', '/api/sessions')).body;
    return Array.isArray(requests) ? requests.filter(isObject) : [];
  };
  // Both steps ask at the same time. One is allowed, the other is denied.
  const requests = await until(async () => {
    const open = await readRequests();
    return open.length === 2 && open;
  });
  const { body } = await device('GET', '/api/sessions');
  expect(body['sessions']).toContainEqual(
    expect.objectContaining({ driver: 'engine', state: 'needs-you', title: 'Batch plan.json' }),
  );
  const stream = await openStream(
    { remote },
    device.token,
    `?session=${String(requests[0]?.['sessionId'])}`,
  );
  for (const { id, title, inputHash } of requests) {
    const isFirst = `${title}`.startsWith('first: ');
    const answer = isFirst ? { type: 'allow', inputHash } : { type: 'deny' };
    expect((await device('POST', `/api/requests/${id}`, answer)).status).toBe(200);
  }
  const { code } = await done;
  expect([code, existsSync(join(folder, 'first.txt'))]).toEqual([0, true]);
  expect(existsSync(join(folder, 'second.txt'))).toBe(false);
  await until(() => !stream.isOpen());
  const shown = JSON.stringify(stream.messages);
  for (const text of ['The first is over.', 'succeeded (2 of 2)', '2 of 2 steps are over'])
    expect(shown).toContain(text);
});

it('a batch whose remote server cannot start ends before its first step', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  const address = await until(() => taken.address() ?? undefined);
  const port = typeof address === 'object' ? address.port : 0;
  const { done, folder, model } = await startRemoteBatch(['--remote-port', `${port}`]);
  const { code, stderr } = await done;
  expect([code, model.requests.length]).toEqual([2, 0]);
  expect(stderr).toContain(`The server cannot listen on 127.0.0.1, port ${port}`);
  expect(existsSync(join(folder, 'plan.batch'))).toBe(false);
});
