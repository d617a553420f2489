import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { findProcesses, makeFolder } from '../support.js';
import { checkRuns, countDone, countLost, locateLedger, readEntries } from './faults-ledger.js';
import { type Cleanup, hashFiles, makePlan, makeWorkspace, runUndisturbed } from './faults-plan.js';
import { createMachine, type Machine } from './machine.js';
import { seedRandom } from './random.js';
import { type StoreName, startStore } from './servers.js';
import { startTcpProxy } from './tcp-proxy.js';

const KINDS = [
  'kill worker',
  'freeze worker',
  'cut network',
  'stall network',
  'restart store',
  'kill coordinator',
] as const;
type FaultKind = (typeof KINDS)[number];

const LOCK_SECONDS = 3;
const CHECK_SECONDS = 1;
/** Longer than the lock, so that the job is taken over, and the old worker comes back with a stale result. */
const AWAY_MS = LOCK_SECONDS * 1_000 + 1_500;
const ENDS_MS = 240_000;
/** Longest time of a fault, and of a worker without steps between SIGTERM and its exit. */
const [PENDING_MS, DRAIN_MS] = [30_000, 20_000];

export interface FaultRun {
  readonly store: StoreName;
  readonly steps: number;
  readonly faults: number;
  readonly stepMs: number;
  readonly seed: number;
}

/**
 * Runs a plan on two workers and one coordinator, each with a home, folders and a network of its own, while faults happen at
 * random. The result must be that of an undisturbed run on one machine: each step once in the ledger, the same bytes in
 * the same files, no process and no temporary folder left.
 */
export async function runWithFaults(
  { store, steps, faults, stepMs, seed }: FaultRun,
  cleanup: Cleanup,
) {
  const random = seedRandom(seed);
  const faultsOver = join(makeFolder({}, cleanup), 'faults-over');
  const plan = makePlan(steps, stepMs, faultsOver);
  const undisturbed = await runUndisturbed(plan, cleanup);
  const workspace = makeWorkspace(cleanup);
  const ground = makeFolder(
    {
      'plan.json': JSON.stringify({
        ...plan,
        defaults: { ...plan.defaults, workingDir: workspace },
      }),
    },
    cleanup,
  );
  const tag = `${store}-${seed}-${process.pid}-${Date.now()}`;
  const server = await startStore(store);
  cleanup(server.stop);
  const proxies = await Promise.all([0, 1, 2].map(() => startTcpProxy(server.url)));
  cleanup(async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))));
  const runs = join(ground, 'runs.txt');
  const worker = (index: number): Machine =>
    createMachine(
      `worker-${index}`,
      ground,
      'queue-worker.mjs',
      (folder) => [
        JSON.stringify({
          queue: proxies[index]?.url,
          name: tag,
          workerName: `worker-${index}`,
          concurrency: 2,
          cacheDir: join(folder, 'cache', 'queue'),
          lockTime: LOCK_SECONDS,
          checkTime: CHECK_SECONDS,
          maxLostAttempts: 20,
          runs,
        }),
      ],
      tag,
    );
  const workers = [worker(0), worker(1)];
  const coordinator = createMachine(
    'coordinator',
    ground,
    'queue-coordinator.mjs',
    () => [
      join(ground, 'plan.json'),
      join(ground, 'out'),
      JSON.stringify({ queue: proxies[2]?.url, name: tag, workspace: 'ship' }),
      '6',
    ],
    tag,
  );
  const machines = [...workers, coordinator];
  cleanup(() => Promise.all(machines.map((machine) => machine.kill())).then(() => {}));
  for (const machine of machines) machine.start();

  const ledger = locateLedger(coordinator, join(ground, 'out'));
  const log: string[] = [];
  const pending: Promise<void>[] = [];
  const away = new Set<number>();
  const list = Array.from({ length: faults / KINDS.length }, () => random.shuffle(KINDS)).flat();
  for (const [index, kind] of list.entries()) {
    const target = random.below(2);
    const pauseMs = random.below(stepMs);
    const wanted = Math.floor((index * steps) / faults);
    await vi.waitUntil(() => !coordinator.isRunning || countDone(ledger) >= wanted, {
      timeout: ENDS_MS,
      interval: 25,
    });
    if (!coordinator.isRunning) break;
    await sleep(pauseMs);
    log.push(`${kind} ${target} after ${countDone(ledger)} steps`);
    pending.push(cause(kind, target));
  }
  writeFileSync(faultsOver, '');
  const isOver = await endsWithin(Promise.all(pending), PENDING_MS);
  // A coordinator that hangs must not hide what led to it.
  const exitCode = await Promise.race([coordinator.exited(), sleep(ENDS_MS, 'hangs')]);
  const story = `seed ${seed}\n${log.join('\n')}\n${machines.map(({ name, output }) => `${name}: ${output.slice(-3_000)}`).join('\n')}`;
  expect(coordinator.output, story).toMatch(/succeeded\n$/);
  expect([exitCode, isOver], story).toEqual([0, true]);
  expect(log, story).toHaveLength(faults);
  for (const machine of workers)
    expect(await endsWithin(machine.end(), DRAIN_MS), `${machine.name} drains\n${story}`).toBe(
      true,
    );

  const done = readEntries(ledger).filter(({ type }) => type === 'done');
  expect(done.map(({ step }) => String(step)).toSorted(), story).toEqual(
    plan.steps.map(({ id }) => id).toSorted(),
  );
  expect(hashFiles(workspace), story).toEqual(undisturbed);
  await vi.waitFor(() => expect(findProcesses(`QUEUE_TEST=${tag}`), story).toEqual([]), 10_000);
  expect(
    machines.flatMap((machine) => machine.leftovers()),
    story,
  ).toEqual([]);
  checkRuns(runs, ground, plan, story);
  return { log, lost: countLost(ground) };

  async function cause(kind: FaultKind, target: number): Promise<void> {
    const machine = workers[target];
    const proxy =
      proxies[kind === 'cut network' || kind === 'stall network' ? random.below(3) : target];
    if (machine === undefined || proxy === undefined) return;
    switch (kind) {
      case 'kill worker':
        machine.thaw();
        await machine.kill();
        await sleep(500);
        return machine.start();
      case 'freeze worker':
        if (away.has(target)) return;
        away.add(target);
        machine.freeze();
        await sleep(AWAY_MS);
        machine.thaw();
        away.delete(target);
        return;
      case 'cut network':
      case 'stall network':
        if (kind === 'cut network') proxy.cut();
        else proxy.stall();
        await sleep(AWAY_MS);
        return proxy.heal();
      case 'restart store':
        return server.restart();
      case 'kill coordinator':
        await coordinator.kill();
        return coordinator.start();
    }
  }
}

async function endsWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([promise.then(() => true), sleep(ms, false)]);
}
