import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findProcesses, makeFolder, read } from '../support.js';
import { locateLedger, readEntries } from './faults-ledger.js';
import { makeWorkspace } from './faults-plan.js';
import { createMachine } from './machine.js';
import { openQueueLab } from './queue-lab.js';
import { listStores, shareStore } from './servers.js';

const { stores } = listStores();
const CALLER = join(import.meta.dirname, '..', 'programs', 'queue-caller.mjs');
const IDS = ['s0', 's1', 's2', 's3'];
/** Steps that run at a time: the others wait in the queue. */
const RUNNING = 2;
/** Longer than a lease. */
const TAKEOVER_MS = 60_000;

test.concurrent.for(stores)(
  'a second coordinator of a batch on %s is refused; one that was frozen leaves its jobs to its successor',
  async (store, { onTestFinished: cleanup }) => {
    const queue = await shareStore(store);
    const tag = `coordinators-${store}-${process.pid}-${Date.now()}`;
    const workspace = makeWorkspace(cleanup);
    const gate = join(makeFolder({}, cleanup), 'gate');
    const prompts = IDS.map((id) => `step=${id} until=${gate} out/${id}.txt=${id}`);
    const steps = IDS.map((id, index) => ({ id, prompt: prompts[index] }));
    const defaults = { isolation: 'worktree', workingDir: workspace };
    const plan = JSON.stringify({ mergeOrder: 'plan', defaults, steps });
    const ground = makeFolder({ 'plan.json': plan, 'runs.txt': '' }, cleanup);
    const runs = join(ground, 'runs.txt');
    const out = join(ground, 'out');
    const options = { queue, name: tag };
    const work = { ...options, concurrency: RUNNING, runs, workerName: 'w' };
    const worker = createMachine(
      'worker',
      ground,
      'queue-worker.mjs',
      (folder) => [JSON.stringify({ ...work, cacheDir: join(folder, 'cache') })],
      tag,
    );
    const coordinate = JSON.stringify({ ...options, workspace: 'ship' });
    const args = () => [join(ground, 'plan.json'), out, coordinate, '4'];
    // Both have the same folders: the state of the batch is one.
    const [first, second] = ['first', 'second'].map(() =>
      createMachine('coordinator', ground, 'queue-coordinator.mjs', args, tag),
    );
    if (first === undefined || second === undefined) throw new Error('Two coordinators');
    const machines = [worker, first, second];
    cleanup(() => Promise.all(machines.map((machine) => machine.kill())).then(() => {}));
    const ledger = locateLedger(first, out);
    const count = (type: string) => readEntries(ledger).filter((it) => it['type'] === type).length;

    worker.start();
    first.start();
    await vi.waitUntil(() => count('worker') === RUNNING, TAKEOVER_MS);
    second.start();
    expect(await second.exited()).toBe(1);
    expect(second.output).toMatch(/Another batch uses .*ledger\.jsonl: process \d+/);

    first.freeze();
    second.start();
    await vi.waitUntil(() => count('worker') === 2 * RUNNING, TAKEOVER_MS);
    first.thaw();
    expect(await first.exited()).toBe(1);
    expect(first.output).toContain('Another batch has taken over');
    writeFileSync(gate, '');
    expect(await second.exited(), second.output).toBe(0);

    expect(readFileSync(runs, 'utf8').trim().split('\n').sort()).toEqual(prompts);
    const done = readEntries(ledger).filter((it) => it['type'] === 'done');
    expect(done.map(({ step }) => step)).toEqual(IDS);
    for (const id of IDS) expect(read(workspace, `out/${id}.txt`)).toBe(`${id}\n`);
    await worker.end();
    await vi.waitFor(() => expect(findProcesses(`QUEUE_TEST=${tag}`)).toEqual([]), 10_000);
  },
);

test.each(stores)('callers with one key at the same moment on %s share one run', async (store) => {
  const lab = await openQueueLab(store);
  const config = { workingDir: lab.workspace };
  const options = { queue: lab.url, name: lab.name, workspace: 'ship', config };
  const prompt = 'wait=300 a.txt+=once';
  const answers = [1, 2].map(async () => {
    const args = [CALLER, JSON.stringify(options), prompt, 'shared'];
    const caller = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void caller.kill('SIGKILL'));
    return text(caller.stdout);
  });
  const queue = lab.open();
  await vi.waitUntil(async () => (await queue.status()).counts.waiting === 1, 20_000);
  await lab.work();
  expect(await Promise.all(answers)).toEqual([`said ${prompt}\n`, `said ${prompt}\n`]);
  expect(readFileSync(lab.runs, 'utf8')).toBe(`${prompt}\n`);
  expect(read(lab.workspace, 'a.txt')).toBe('once\n');

  // Connections of one process meet more often between the search for the job and its addition.
  const callers = [1, 2, 3].map(() => lab.connect({ workspace: 'shared' }));
  const keys = Array.from({ length: 10 }, (_, index) => `b${index}.txt`);
  const results = await Promise.all(
    keys.flatMap((key) =>
      callers.map((caller) => caller.generate(`${key}+=x`, { idempotencyKey: key })),
    ),
  );
  expect(results.map(({ text }) => text)).toEqual(
    keys.flatMap((key) => callers.map(() => `said ${key}+=x`)),
  );
  for (const key of keys) expect(read(lab.workspace, key)).toBe('x\n');
});
