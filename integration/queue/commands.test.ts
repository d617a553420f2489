import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startOtlpReceiver } from '../otlp-receiver.js';
import { GEMINI, makeFolder, read } from '../support.js';
import { writing } from '../tool-calls.js';
import { shareStore } from './servers.js';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

/** Starts a command in the background. Returns what it has printed so far. */
function start(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], { env });
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  child.stderr?.on('data', (chunk) => (printed += chunk));
  const exited = once(child, 'exit').then(([code]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, exited, printed: () => printed };
}

test('worker, run, batch and queue work together on the command line, and print no password', async () => {
  const model = await startScriptedModel([
    { prompt: 'make a', turns: [writing('a.txt', 'a\n'), { text: 'Done.' }] },
    { prompt: 'make b', turns: [writing('b.txt', 'b\n'), { text: 'Done.' }] },
    { prompt: 'refuse', turns: [{ error: { status: 400, message: 'No.' } }] },
    { prompt: 'slow', turns: [{ latencyMs: 60_000, text: 'Late.' }] },
  ]);
  onTestFinished(() => model.close());
  const queue = await shareStore('postgres');
  const { password } = new URL(queue);
  const workspace = makeFolder({ 'plan.json': '' });
  const name = `commands-${process.pid}-${Date.now()}`;
  const env = {
    ...process.env,
    GEMINI_CLI_PATH: GEMINI,
    GEMINI_CLI_PROVIDER_QUEUE: queue,
    NO_COLOR: '1',
  };
  let all = '';
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const words = [CLI, ...args, '--queue-name', name];
      execFile(process.execPath, words, { env, cwd: workspace }, (error, stdout, stderr) => {
        all += stdout + stderr;
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });

  // Commands that do not depend on each other run at the same time: each start of the command line costs a second.
  const without = run('batch', 'plan.json', '--queue', 'env');
  const flags = Object.entries(model.env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  // The URL with its password is on the command line here, where `ps` would show it.
  const words = ['worker', '--queue', queue, '--queue-name', name, '--name', 'w1', '-n', '2'];
  const receiver = await startOtlpReceiver();
  const seen = ['--health', '0', '--otlp', receiver.url];
  const worker = start([...words, '--trust-workspace', ...seen, ...flags], env);
  await vi.waitUntil(() => /Health: .*\/ready/.test(worker.printed()), 30_000);
  await vi.waitUntil(() => worker.printed().includes('takes steps from'), 30_000);
  expect((await without).code).not.toBe(0);
  expect(worker.printed()).toMatch(/Worker w1 takes steps from postgres:\/\/127\.0\.0\.1:\d+/);
  expect(worker.printed()).toContain('Warning: The password in --queue was on the command line');
  expect(readFileSync(`/proc/${worker.child.pid}/cmdline`, 'utf8')).not.toContain(password);

  const plan = {
    name: 'p',
    steps: [
      { id: 'b', prompt: 'make b' },
      { id: 'no', prompt: 'refuse' },
    ],
  };
  writeFileSync(join(workspace, 'plan.json'), JSON.stringify(plan));
  const [made, batch] = await Promise.all([
    run('run', 'make a', '--queue', 'env'),
    run('batch', 'plan.json', '--queue', 'env'),
  ]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
  expect(made.stderr).toContain('Worker w1 on ');
  expect(read(workspace, 'a.txt')).toBe('a\n');
  expect(batch.code).toBe(10);
  expect(batch.stderr).toMatch(/✓ b .* on w1/);
  expect(batch.stdout).toContain('Attempts by worker: w1 (2)');

  // A worker describes itself by a heartbeat, which the status may overtake.
  const status = await vi.waitUntil(async () => {
    const latest = await run('queue', 'status');
    return / 0\/2 running · 2 succeeded · 1 failed/.test(latest.stdout) && latest;
  }, 20_000);
  expect(status.stdout).toMatch(/Jobs: 0 waiting · 0 active · 0 delayed · 2 completed · 1 failed/);
  expect(status.stdout).toMatch(/● w1 0\/2 running · 2 succeeded · 1 failed/);
  const failed = await run('queue', 'list', '--state', 'failed');
  const [, id = ''] = /^(\w+) {2}failed {5}refuse/.exec(failed.stdout) ?? [];
  const shown = await run('queue', 'show', id.slice(0, 6));
  expect(shown.stdout).toMatch(/Error +API_REQUEST: /);
  const again = run('queue', 'retry', '--all', '--code', 'API_REQUEST');
  const slow = start(
    ['run', 'slow', '--queue', 'env', '--queue-name', name, '--cwd', workspace],
    env,
  );
  await vi.waitUntil(() => slow.printed().includes('Worker w1'), 20_000);
  expect((await again).stdout).toBe('Put 1 failed job on the queue again.\n');
  const { stdout } = await run('queue', 'list', '--state', 'active', '--json');
  const active: { id: string; prompt: string }[] = JSON.parse(stdout);
  const { id: slowId = '' } = active.find(({ prompt }) => prompt === 'slow') ?? {};
  const cancelled = await run('queue', 'cancel', slowId, '--reason', 'too slow');
  expect(cancelled.stdout).toContain('is cancelled: it ends on w1');
  expect(await slow.exited).toBe(130);
  expect(slow.printed()).toContain('too slow');
  expect((await run('queue', 'drain')).stdout).toBe('Removed 0 waiting jobs.\n');
  await vi.waitUntil(
    async () => (await run('queue', 'status')).stdout.includes(' 0 active'),
    20_000,
  );
  expect((await run('queue', 'clean', '--keep', '1')).stdout).toBe('Removed 3 ended jobs.\n');

  const port = /Health: http:\/\/127\.0\.0\.1:(\d+)/.exec(worker.printed())?.[1];
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(JSON.parse(await ask('/ready'))).toEqual({ status: 'ready' });
  const metrics = await ask('/metrics');
  expect(metrics).toContain('gemini_cli_provider_worker_steps_total{outcome="succeeded"} 2');
  expect(metrics).toContain('gemini_cli_provider_worker_waiting 0');
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  expect(worker.printed()).toContain('The worker has ended');
  // The steps a and b, the refused one with its retry, and the one that was cancelled.
  const spans = receiver.spans().filter(({ name }) => name === 'invoke_agent gemini-cli');
  expect(spans.map(({ status }) => status.code).sort()).toEqual([0, 0, 2, 2, 2]);
  for (const { attributes } of spans)
    expect(attributes['gemini_cli_provider.job.id']).toEqual(expect.any(String));
  all += worker.printed() + slow.printed();
  expect(all).not.toContain(password);
});
