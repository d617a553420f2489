import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AgentPool } from '../../../src/agents/acp/agent-pool.js';
import type { PoolSlot } from '../../../src/agents/acp/pool-slot.js';
import { ProcessLoad } from '../../../src/agents/acp/process-load.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { silentLogger } from '../../../src/config/logging.js';
import { failureOf, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';
import { launchTiny, openPool, prompt, step } from './tiny-agent.js';

afterAll(closeIdleReaper);

/** Returns true if the promise is settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await new Promise(setImmediate);
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

async function pidOf(slot: PoolSlot): Promise<number> {
  return Number(await prompt(await slot.open(), 'pid'));
}

describe('slots', () => {
  it('are given on one process up to its limit, and further steps wait in order', async () => {
    const { pool, acquire } = openPool({ sessionsPerProcess: 2 });
    const [one, two] = await Promise.all([acquire(), acquire()]);
    expect(one.process).toBe(two.process);
    expect([one.isShared(), two.isShared()]).toEqual([true, true]);
    const order: string[] = [];
    const waiting = ['third', 'fourth'].map(async (name) => {
      const slot = await acquire();
      order.push(name);
      return slot;
    });
    await new Promise(setImmediate);
    expect(pool.stats()).toMatchObject({ processes: 1, running: 2, waiting: 2, started: 1 });
    one.release();
    one.release();
    const third = await waiting[0];
    expect(order).toEqual(['third']);
    expect(pool.stats()).toMatchObject({ running: 2, waiting: 1 });
    third?.release();
    await waiting[1];
    expect(order).toEqual(['third', 'fourth']);
    expect(pool.stats()).toMatchObject({ running: 2, waiting: 0, started: 1 });
  });

  it('are given on at most maxProcesses processes', async () => {
    const { pool, acquire } = openPool({ sessionsPerProcess: 1, maxProcesses: 2 });
    const slots = await Promise.all([acquire(), acquire()]);
    expect(new Set(slots.map(({ process }) => process.id)).size).toBe(2);
    const waiting = acquire();
    await new Promise(setImmediate);
    expect(pool.stats()).toMatchObject({ processes: 2, running: 2, waiting: 1 });
    slots[0]?.release();
    expect((await waiting).process).toBe(slots[0]?.process);
  });

  it('are not given to a step that is cancelled while it waits, and other steps keep waiting', async () => {
    const { pool, acquire } = openPool({ sessionsPerProcess: 1 });
    const first = await acquire();
    const cancel = new AbortController();
    const cancelled = failureOf(() => acquire({ signal: cancel.signal }));
    const patient = acquire();
    await new Promise(setImmediate);
    cancel.abort();
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
    expect(pool.stats()).toMatchObject({ waiting: 1 });
    first.release();
    expect((await patient).process).toBe(first.process);
    expect(await failureOf(() => acquire({ signal: AbortSignal.abort() }))).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('that are exclusive are not shared', async () => {
    const { acquire } = openPool({ maxProcesses: 1 });
    const alone = await acquire({ isExclusive: true });
    const other = acquire();
    expect(await isSettled(other)).toBe(false);
    alone.release();
    const shared = await other;
    const aloneAgain = acquire({ isExclusive: true });
    expect(await isSettled(aloneAgain)).toBe(false);
    shared.release();
    expect((await aloneAgain).isShared()).toBe(false);
  });

  it('of different launches are on different processes, and do not wait for each other', async () => {
    const { pool, acquire } = openPool({ maxProcesses: 1, sessionsPerProcess: 1 });
    const [one, two] = [launchTiny({ args: ['one'] }), launchTiny({ args: ['two'] })];
    const slots = await Promise.all([acquire({ launch: one }), acquire({ launch: two })]);
    const answers = await Promise.all(slots.map((slot) => step(slot, 'args')));
    expect(answers).toEqual(['one', 'two']);
    expect(pool.stats()).toMatchObject({ processes: 2 });
  });

  it('on the same process may have different working directories', async () => {
    const { pool, acquire } = openPool();
    const folders = [makeFolder(), makeFolder(), makeFolder()];
    const answers = await Promise.all(
      folders.map(async (cwd) => step(await acquire({ cwd }), 'cwd')),
    );
    expect(answers).toEqual(folders.map((folder) => `${folder} ${process.cwd()}`));
    expect(pool.stats()).toMatchObject({ started: 1, sessions: 3 });
  });
});

describe('a pooled process', () => {
  it('serves one step after another', async () => {
    const { pool, acquire } = openPool();
    const pids = [await step(await acquire()), await step(await acquire())];
    expect(pids[0]).toBe(pids[1]);
    expect(pool.stats()).toMatchObject({ processes: 1, running: 0, started: 1 });
  });

  it('is replaced and ended after maxSessions sessions', async () => {
    const { pool, acquire } = openPool({ maxSessions: 2, spareSessions: 0 });
    const pids: number[] = [];
    for (let n = 0; n < 5; n++) pids.push(Number(await step(await acquire())));
    expect(new Set(pids).size).toBe(3);
    expect(pool.stats()).toMatchObject({ started: 3, sessions: 5 });
    await until(() => !isAlive(pids[0] ?? 0) && !isAlive(pids[2] ?? 0));
  });

  it('that has reached maxSessions finishes its running steps', async () => {
    const { pool, acquire } = openPool({ maxSessions: 2, spareSessions: 0 });
    const [one, two] = await Promise.all([acquire(), acquire()]);
    const session = await one.open();
    await step(two);
    const third = await acquire();
    expect(third.process).not.toBe(one.process);
    expect(await prompt(session, 'say still here')).toBe('still here');
    one.release();
    expect(pool.stats()).toMatchObject({ processes: 1, started: 2 });
  });

  it('that nears maxSessions has its replacement started early', async () => {
    const { pool, acquire } = openPool({ maxSessions: 6, spareSessions: 0 });
    const slot = await acquire();
    await slot.open();
    expect(pool.stats().started).toBe(1);
    slot.prepareNext();
    slot.prepareNext();
    await until(() => pool.stats().started === 2);
    slot.prepareNext();
    slot.release();
    await until(() => pool.stats().processes === 1);
    const next = await acquire();
    expect(next.process).not.toBe(slot.process);
    expect(pool.stats()).toMatchObject({ processes: 1, draining: 0, started: 2 });
  });

  it('that is replaced counts until its last step is over (claim: pool-limits)', async () => {
    const limits = { maxProcesses: 2, sessionsPerProcess: 3, maxSessions: 3, spareSessions: 0 };
    const { pool, acquire } = openPool(limits);
    const held: PoolSlot[] = [];
    const most = { processes: 0, running: 0, serving: 0 };
    const look = () => {
      const { processes, running, draining } = pool.stats();
      most.processes = Math.max(most.processes, processes);
      most.running = Math.max(most.running, running);
      most.serving = Math.max(most.serving, processes - draining);
    };
    const steps = Array.from({ length: 18 }, async (_, index) => {
      const slot = await acquire();
      look();
      await slot.open();
      slot.prepareNext();
      look();
      // Three steps last until the others have gone through, so that their processes drain for long. A fourth one could
      // fill the last process that may exist.
      if (index % 3 === 0 && held.length < 3) held.push(slot);
      else slot.release();
      look();
    });
    await Promise.all(steps);
    expect(pool.stats()).toMatchObject({ running: 3, waiting: 0 });
    expect(pool.stats().draining).toBeGreaterThan(0);
    for (const slot of held) slot.release();
    await until(() => pool.stats().draining === 0);
    expect(most.processes).toBeLessThanOrEqual(4);
    expect(most.serving).toBeLessThanOrEqual(2);
    expect(most.running).toBeLessThanOrEqual(6);
  });

  it('that is replaced keeps further steps waiting while twice maxProcesses exist (claim: pool-limits)', async () => {
    const limits = { maxProcesses: 1, sessionsPerProcess: 3, maxSessions: 2, spareSessions: 0 };
    const { pool, acquire } = openPool(limits);
    const drain = async (): Promise<PoolSlot> => {
      const [long, short] = [await acquire(), await acquire()];
      await Promise.all([long.open(), short.open()]);
      short.release();
      return long;
    };
    const [first, second] = [await drain(), await drain()];
    const full = { processes: 2, draining: 2, running: 2, started: 2 };
    expect(pool.stats()).toMatchObject({ ...full, waiting: 0 });
    const waiting = acquire();
    expect(await isSettled(waiting)).toBe(false);
    expect(pool.stats()).toMatchObject({ ...full, waiting: 1 });
    first.release();
    const third = await waiting;
    expect(third.process).not.toBe(second.process);
    expect(pool.stats()).toMatchObject({ processes: 2, running: 2, waiting: 0, started: 3 });
    third.release();
    second.release();
  });

  it('that uses more than maxMemoryMb is replaced', async () => {
    const { acquire } = openPool({ maxMemoryMb: 1 });
    const pids = [await step(await acquire()), await step(await acquire())];
    expect(pids[0]).not.toBe(pids[1]);
  });

  it('without steps is ended after idleShutdown, and the next step gets a new process', async () => {
    const { pool, acquire } = openPool({ idleShutdown: 0.05 });
    const pid = Number(await step(await acquire()));
    await until(() => pool.stats().processes === 0 && !isAlive(pid));
    expect(Number(await step(await acquire()))).not.toBe(pid);
    expect(pool.stats()).toMatchObject({ started: 2, sessions: 2 });
  });

  it('that exits fails only its own steps, and waiting steps continue', async () => {
    const { pool, acquire } = openPool({ maxProcesses: 2, sessionsPerProcess: 1 });
    const [doomed, other] = await Promise.all([acquire(), acquire()]);
    const otherSession = await other.open();
    const waiting = acquire();
    const session = await doomed.open();
    const failure = await failureOf(() => session.prompt('die'));
    expect(failure).toMatchObject({ failure: { kind: 'closed' } });
    expect(await doomed.process.exited).toMatchObject({ exitCode: 3 });
    doomed.release();
    expect(await step(await waiting, 'say fine')).toBe('fine');
    expect(await prompt(otherSession, 'say unharmed')).toBe('unharmed');
    expect(pool.stats()).toMatchObject({ started: 3, waiting: 0 });
  });

  it('that is discarded is ended and gets no further steps', async () => {
    const { pool, acquire } = openPool();
    const slot = await acquire();
    const pid = await pidOf(slot);
    await slot.discard();
    expect(isAlive(pid)).toBe(false);
    slot.release();
    expect(pool.stats()).toMatchObject({ processes: 0, running: 0 });
    expect(Number(await step(await acquire()))).not.toBe(pid);
  });

  it('that cannot be prepared fails every step that asked for it, and no step waits forever', async () => {
    const { pool, acquire } = openPool({ maxProcesses: 1 });
    const build = () => Promise.reject(new Error('the disk is full'));
    const launch = { ...launchTiny(), build };
    const failures = [1, 2, 3].map(() => failureOf(() => acquire({ launch })));
    for (const failure of failures)
      expect(await failure).toMatchObject({ message: 'the disk is full' });
    expect(pool.stats()).toMatchObject({ processes: 0, waiting: 0, started: 0 });
  });

  it('whose login was refused is not kept for the next step', async () => {
    const { pool, acquire } = openPool();
    const launch = launchTiny({ authMethod: 'wrong' });
    const slot = await acquire({ launch });
    expect(await failureOf(() => slot.open())).toMatchObject({
      failure: { kind: 'refused', error: { code: -32_000 } },
    });
    slot.release();
    expect(pool.stats()).toMatchObject({ processes: 0 });
  });
});

describe('sessions of a pool', () => {
  it('are created in advance only for a folder that is used again', async () => {
    const { pool, acquire } = openPool();
    const [once, often] = [makeFolder(), makeFolder()];
    const takeStep = async (cwd: string) => {
      const slot = await acquire({ cwd });
      const session = await slot.open();
      slot.prepareNext();
      // This prompt takes longer than the creation of a session.
      await prompt(session, 'mutter x');
      slot.release();
      return session;
    };
    await takeStep(once);
    await takeStep(often);
    expect(pool.stats().sessions).toBe(2);
    await takeStep(often);
    expect(pool.stats().sessions).toBe(4);
    // The fourth session was created before a step asked for it.
    const ids = [(await takeStep(often)).id, (await takeStep(once)).id];
    expect(ids[0]).toMatch(/-4$/);
    expect(ids[1]).not.toMatch(/-[1-4]$/);
  });

  it('that no step has taken are removed after the end of their process', async () => {
    const { pool, acquire } = openPool({ spareSessions: 1 });
    const removed: unknown[] = [];
    const cwd = makeFolder();
    const launch = {
      ...launchTiny(),
      removeUnused: (sessions: readonly unknown[]) => void removed.push(...sessions),
    };
    const used: string[] = [];
    for (let n = 1; n <= 3; n++) {
      const slot = await acquire({ launch, cwd });
      const session = await slot.open();
      used.push(session.id);
      slot.prepareNext();
      await prompt(session, 'mutter x');
      slot.release();
    }
    await until(() => pool.stats().sessions === 4);
    expect(removed).toEqual([]);
    await pool.dispose();
    expect(removed).toEqual([{ id: expect.stringMatching(/-4$/), cwd }]);
    expect(used).toHaveLength(3);
  });

  it('are not created in advance if spareSessions is 0', async () => {
    const { pool, acquire } = openPool({ spareSessions: 0 });
    for (let n = 1; n <= 3; n++) {
      const slot = await acquire();
      const session = await slot.open();
      slot.prepareNext();
      await prompt(session, 'say x');
      slot.release();
    }
    expect(pool.stats().sessions).toBe(3);
  });

  it('keep updates that arrive before a listener is attached', async () => {
    const { acquire } = openPool();
    const slot = await acquire();
    const session = await slot.open();
    const updates: unknown[] = [];
    session.attach({
      onUpdate: (update) => void updates.push(update),
      onRequest: async () => ({}),
    });
    expect(updates).toMatchObject([{ sessionUpdate: 'available_commands_update' }]);
    expect(session.options.mode?.offered.map(({ id }) => id)).toEqual([
      'default',
      'acceptEdits',
      'yolo',
    ]);
  });

  it('without an id fail', async () => {
    const slot = await openPool().acquire({ launch: launchTiny({ start: 'no-id' }) });
    expect(await failureOf(() => slot.open())).toMatchObject({ failure: { kind: 'refused' } });
  });

  it('of earlier steps can be loaded', async () => {
    const { acquire } = openPool();
    const slot = await acquire();
    const session = await slot.load('earlier');
    expect(session.id).toBe('earlier');
    expect(await prompt(session, 'say more')).toBe('what was askedwhat was answeredmore');
    expect(await failureOf(() => slot.load('none'))).toMatchObject({
      failure: { kind: 'refused', error: { code: -32_602 } },
    });
  });
});

describe('disposing of a pool', () => {
  it('ends every busy and idle process, and leaves no process and no file behind', async () => {
    const temp = makeFolder();
    vi.stubEnv('TMPDIR', temp);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { pool, acquire } = openPool({ maxProcesses: 2, sessionsPerProcess: 1 });
    const [busy, idle] = await Promise.all([acquire(), acquire()]);
    const pids = [await pidOf(busy), Number(await step(idle))];
    // Open the session first, so that the prompt hangs and not the creation of the session.
    const session = await busy.open();
    const hanging = failureOf(() => session.prompt('hang'));
    const leaving = Number(await step(await acquire(), 'leave'));
    expect(isAlive(leaving)).toBe(true);
    await pool.dispose();
    expect([...pids, leaving].filter(isAlive)).toEqual([]);
    expect(await hanging).toMatchObject({ failure: { kind: 'closed' } });
    expect(readdirSync(temp).filter((name) => name.startsWith('gemini-cli-provider-'))).toEqual([]);
    expect(pool.stats()).toMatchObject({ processes: 0, waiting: 0 });
  });

  it('fails waiting steps and later steps', async () => {
    const { pool, acquire } = openPool({ sessionsPerProcess: 1 });
    await acquire();
    const waiting = failureOf(() => acquire());
    await new Promise(setImmediate);
    await pool.dispose();
    const message = 'The pool has been disposed of';
    expect(await waiting).toMatchObject({ code: 'CANCELLED', message });
    expect(await failureOf(() => acquire())).toMatchObject({ code: 'INVALID_INPUT', message });
    await pool.dispose();
  });

  it('waits for a process that is starting, and ends it too', async () => {
    const pool = new AgentPool();
    const temp = makeFolder();
    let hasBuilt = false;
    const tiny = launchTiny({ args: [join(temp, 'x')] });
    const launch: typeof tiny = {
      ...tiny,
      build: async (directory, id) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        hasBuilt = true;
        return tiny.build(directory, id);
      },
    };
    const acquiring = pool.acquire({
      launch,
      spec: { cwd: temp, mcpServers: [] },
      isExclusive: false,
      signal: new AbortController().signal,
      logger: silentLogger,
    });
    const outcome = failureOf(() => acquiring);
    await pool.dispose();
    expect(hasBuilt).toBe(true);
    expect(await outcome).toMatchObject({ code: 'CANCELLED' });
    expect(pool.stats()).toMatchObject({ processes: 0, running: 0 });
  });

  it('with `await using` happens at the end of the block', async () => {
    let pid = 0;
    {
      await using pool = new AgentPool();
      const slot = await pool.acquire({
        launch: launchTiny(),
        spec: { cwd: makeFolder(), mcpServers: [] },
        isExclusive: false,
        signal: new AbortController().signal,
        logger: silentLogger,
      });
      pid = await pidOf(slot);
    }
    expect(isAlive(pid)).toBe(false);
  });
});

describe('a further process', () => {
  it('is not started while the first one, which is starting, has slots for all steps', async () => {
    const { pool, acquire } = openPool({ maxProcesses: 2 });
    await Promise.all(Array.from({ length: 8 }, () => acquire()));
    expect(pool.stats()).toMatchObject({ started: 1, running: 8 });
    await acquire();
    expect(pool.stats()).toMatchObject({ started: 2, running: 9 });
  });

  it('is started for the step that finds no slot on the processes that are starting', async () => {
    const { pool, acquire } = openPool({ maxProcesses: 3, sessionsPerProcess: 2 });
    await Promise.all(Array.from({ length: 5 }, () => acquire()));
    expect(pool.stats()).toMatchObject({ started: 3, running: 5, waiting: 0 });
  });

  it('is started ahead if the CPU time of the first one is not enough, and takes steps when it is ready', async () => {
    const isBusy = vi.spyOn(ProcessLoad.prototype, 'isBusy').mockReturnValue(true);
    onTestFinished(() => isBusy.mockRestore());
    const { pool, acquire } = openPool({ maxProcesses: 2 });
    const first = await acquire();
    await step(first);
    first.prepareNext();
    first.prepareNext();
    const takesTwo = async (): Promise<boolean> => {
      const slots = await Promise.all([acquire(), acquire()]);
      for (const slot of slots) slot.release();
      return new Set(slots.map(({ process }) => process.id)).size === 2;
    };
    await vi.waitUntil(takesTwo, { timeout: 10_000, interval: 20 });
    const again = await acquire();
    again.prepareNext();
    expect(pool.stats()).toMatchObject({ started: 2, draining: 0, processes: 2 });
  });
});

describe('the numbers of a pool', () => {
  it('name the limit of processes and its origin', () => {
    const cores = availableParallelism();
    expect(new AgentPool().stats()).toMatchObject({
      maxProcesses: Math.min(4, cores),
      cores,
      limitedBy: 'cores',
    });
    const { pool } = openPool({ maxProcesses: 7 });
    expect(pool.stats()).toMatchObject({ maxProcesses: 7, cores, limitedBy: 'option' });
  });
});
