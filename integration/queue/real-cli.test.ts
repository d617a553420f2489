import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { QueuedProvider } from 'gemini-cli-provider/queue';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findProcesses, GEMINI, makeFolder } from '../support.js';
import { writing } from '../tool-calls.js';
import { shareStore } from './servers.js';

const WORKER = join(import.meta.dirname, '..', 'programs', 'queue-worker.mjs');

test('a worker with the real CLI is killed: its CLI dies, another worker writes the files, each once', async () => {
  const slow = { latencyMs: 3_000, text: 'Done.' };
  const model = await startScriptedModel([
    { prompt: 'make a', turns: [writing('a.txt', 'a\n'), slow] },
    { prompt: 'make b', turns: [writing('b.txt', 'b\n'), slow] },
  ]);
  onTestFinished(() => model.close());
  const queue = await shareStore('postgres');
  const tag = `real-${process.pid}-${Date.now()}`;
  const workspace = makeFolder({ 'kept.txt': 'kept\n' });
  const start = (workerName: string) => {
    const options = {
      queue,
      name: tag,
      workerName,
      concurrency: 2,
      lockTime: 3,
      checkTime: 1,
      cacheDir: makeFolder(),
      gemini: { model: 'gemini-2.5-flash', env: model.env, trustWorkspace: true, cliPath: GEMINI },
    };
    const child = spawn(process.execPath, [WORKER, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, QUEUE_TEST: `${tag}-${workerName}` },
    });
    const exited = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    const started: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"job-started"')) started.push(line);
    });
    return { child, started };
  };
  const first = start('first');
  const provider = new QueuedProvider({
    queue,
    name: tag,
    workspace: 'ship',
    config: { workingDir: workspace },
  });
  onTestFinished(() => provider.dispose());
  const running = [provider.generate('make a'), provider.generate('make b')];
  await vi.waitUntil(() => first.started.length === 2 && model.requests.length >= 2, 60_000);
  start('second');
  first.child.kill('SIGKILL');
  const results = await Promise.all(running);
  for (const { job, text } of results) {
    expect(text).toBe('Done.');
    expect(job).toMatchObject({ worker: 'second', lost: [{ worker: 'first' }] });
  }
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('a\n');
  expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('b\n');
  expect(findProcesses(`QUEUE_TEST=${tag}-first`)).toEqual([]);
});
