import { expect, it, onTestFinished, vi } from 'vitest';
import { startOtlpReceiver } from '../../../integration/otlp-receiver.js';
import { createOutput } from '../../../src/cli/output/output.js';
import { toAllowed, type WorkerFlags, workOnQueue } from '../../../src/cli/worker/work-on-queue.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { openQueueLab, type QueueLab, untilJob } from '../../queue/queue-lab.js';

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Starts the command inside this process. A signal of `send` reaches this command alone. */
function start({ connection }: Pick<QueueLab, 'connection'>, flags: WorkerFlags, config = {}) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    const spy = vi.spyOn(process[name], 'write').mockImplementation((chunk, encoding, done) => {
      written[name] += String(chunk);
      const callback = typeof encoding === 'function' ? encoding : done;
      callback?.();
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  const output = createOutput({ NO_COLOR: '1' });
  const ended = workOnQueue({
    connection,
    config,
    flags: { preflight: false, ...flags },
    output,
  });
  const send = (signal: Signal): void => void process.listeners(signal).at(-1)?.(signal);
  const until = (part: RegExp) =>
    vi.waitUntil(() => part.exec(written.stdout + written.stderr), { timeout: 10_000 });
  return { written, ended, send, until };
}

/** Starts a command that waits until a step was given to it and cannot run. */
const NO_CLI = { cliPath: '/nowhere/gemini', workingDir: '/' };

it('takes steps until SIGTERM, and serves its health meanwhile', async () => {
  const lab = await openQueueLab();
  const flags = { name: 'w', labels: ['gpu'], cache: makeTree(), concurrency: 9 };
  const health = { host: '::1', port: 0 };
  const command = start(lab, { ...flags, health });
  const [, port = ''] = await command.until(/Health: http:\/\/\[::1\]:(\d+)\/ready/);
  await command.until(/Worker w takes steps from postgres:/);
  const ask = async (path: string, method = 'GET') => {
    const { status, ...response } = await fetch(`http://[::1]:${port}${path}`, { method });
    return { status, response };
  };
  expect((await ask('/live')).status).toBe(200);
  expect((await ask('/ready?x')).status).toBe(200);
  expect((await ask('/other')).status).toBe(404);
  expect((await ask('/live', 'POST')).status).toBe(405);
  const metrics = await fetch(`http://[::1]:${port}/metrics`);
  expect(await metrics.text()).toContain('gemini_cli_provider_worker_waiting 0');
  expect((await lab.open().status()).workers).toMatchObject([
    { name: 'w', labels: ['gpu'], concurrency: 9 },
  ]);
  command.send('SIGTERM');
  expect(await command.ended).toBe(0);
  expect(command.written.stderr).toContain('The worker has ended');
  await expect(ask('/live')).rejects.toThrow();
});

it('prints every event as a JSON line, and takes no more steps when its CLI is missing', async () => {
  const lab = await openQueueLab();
  const receiver = await startOtlpReceiver();
  const flags = { json: true, otlp: receiver.url, health: { host: '127.0.0.1', port: 0 } };
  const command = start(lab, flags, NO_CLI);
  await command.until(/Health: http:\/\/127\.0\.0\.1:\d+\/ready/);
  const queue = lab.open();
  const { id } = await queue.enqueue('say one');
  expect(await untilJob(queue, id, 'failed')).toMatchObject({ error: { code: 'CLI_NOT_FOUND' } });
  await command.until(/admission-stopped/);
  command.send('SIGHUP');
  expect(await command.ended).toBe(129);
  const events = command.written.stdout
    .trim()
    .split('\n')
    .map((line): { type: string } => JSON.parse(line));
  expect(events.map(({ type }) => type)).toEqual([
    'ready',
    'job-started',
    'job-finished',
    'admission-stopped',
    'draining',
    'closed',
  ]);
  const [span] = receiver.spans();
  expect(span).toMatchObject({ name: 'invoke_agent gemini-cli', status: { code: 2 } });
});

it('ends at the first Ctrl-C while the store does not answer', async () => {
  const away = { connection: { queue: 'postgres://127.0.0.1:1/steps', name: 'q' } };
  const command = start(away, {});
  await command.until(/No connection to the store/);
  command.send('SIGINT');
  expect(await command.ended).toBe(130);
});

it('says that the terminal was closed while the store did not answer', async () => {
  const away = { connection: { queue: 'postgres://127.0.0.1:1/steps', name: 'q' } };
  const command = start(away, { json: true });
  await command.until(/store-connection/);
  command.send('SIGHUP');
  expect(await command.ended).toBe(129);
});

it('hands its steps back at the second Ctrl-C', async () => {
  const lab = await openQueueLab();
  const command = start(lab, { drainLimit: 60 });
  await command.until(/takes steps from/);
  command.send('SIGINT');
  command.send('SIGINT');
  expect(await command.ended).toBe(130);
  expect(command.written.stderr).toContain('Draining: no step runs');
});

it('refuses to start when its CLI is missing, before it connects to the store', async () => {
  const away = { connection: { queue: 'postgres://127.0.0.1:1/steps', name: 'q' } };
  const { ended } = start(away, { preflight: true }, NO_CLI);
  await expect(ended).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' });
});

it('the configuration of the provider is the ceiling for its steps', () => {
  expect(toAllowed({}, {})).toEqual({});
  const config = { approvalMode: 'yolo', allowedTools: ['a'], allowRedirection: true };
  expect(toAllowed({ commands: false }, config)).toEqual({
    approvalMode: 'yolo',
    allowedTools: ['a'],
    weakerProtection: true,
    commands: false,
  });
  expect(toAllowed({ commands: true }, { allowRedirection: false })).toEqual({});
});
