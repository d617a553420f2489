import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { BatchLease } from '../../../src/batch/state/batch-lease.js';
import { Lease, type LeaseRequest } from '../../../src/batch/state/lease.js';
import { createLease, type LeaseContent } from '../../../src/batch/state/lease-file.js';
import { Seal } from '../../../src/batch/state/seal.js';
import { makeTree } from '../../base/fs/make-tree.js';

const SEAL = new Seal('k', 'the key');
const OTHER = new Seal('o', 'another key');
const TIMING = { beatMs: 20, leaseMs: 150, pollMs: 5 };
const DEAD = 2 ** 22 + 1;

async function acquire(folder: string, more: Partial<LeaseRequest> = {}): Promise<Lease> {
  const lease = await Lease.acquire({
    folder,
    seal: SEAL,
    subject: 'the ledger',
    leaseId: Math.random().toString(36),
    onWait: () => {},
    onLost: () => {},
    timing: TIMING,
    ...more,
  });
  onTestFinished(() => lease.release());
  return lease;
}

/** Writes a lease of another process. */
async function plant(
  folder: string,
  token: number,
  owner: Partial<LeaseContent['owner']>,
  seal = SEAL,
): Promise<LeaseContent> {
  const startedAt = '2020-01-01T00:00:00.000Z';
  const facts = { ...describeProcess(), id: 'another process', ...owner };
  const content = { leaseId: 'x', owner: facts, startedAt, beat: 0 };
  await createLease(folder, token, content, seal);
  return content;
}

describe('a lease', () => {
  it('refuses a second run of the same process at once, and names process and start', async () => {
    const folder = makeTree();
    const lease = await acquire(folder);
    await expect(acquire(folder)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(
        new RegExp(`^Another batch uses the ledger: process ${process.pid}, started 2`),
      ),
    });
    await lease.release();
    expect(readFileSync(join(folder, 'lease-1.json'), 'utf8')).toBe('');
    expect((await acquire(folder)).token).toBe(2);
    expect(readdirSync(folder)).toEqual(['lease-2.json']);
  });

  it('is given to exactly one of many simultaneous runs', async () => {
    for (let round = 0; round < 10; round++) {
      const folder = makeTree();
      await plant(folder, 5, { pid: DEAD });
      const all = await Promise.allSettled(Array.from({ length: 20 }, () => acquire(folder)));
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it.each([
    ['of a dead process', { pid: DEAD }],
    ['of an earlier process with the same pid', { startTime: 1 }],
  ])('%s is taken over at once', async (_, owner) => {
    const folder = makeTree();
    await plant(folder, 7, owner);
    const timing = { ...TIMING, leaseMs: 1_000_000 };
    expect(await acquire(folder, { timing })).toMatchObject({ token: 8, expiredId: undefined });
  });

  it.each([
    ['another PID namespace', { pid: DEAD, pidNamespace: 'pid:[1]' }, 'in another container'],
    ['another machine', { pid: DEAD, boot: 'b', host: 'elsewhere' }, 'on elsewhere'],
    ['a frozen process', {}, `process ${process.pid}`],
  ])(
    'of %s is taken over when it has expired, with a message (claim: one-batch-per-ledger)',
    async (_, owner, name) => {
      const folder = makeTree();
      await plant(folder, 3, owner);
      const messages: string[] = [];
      const lease = await acquire(folder, { onWait: (message) => messages.push(message) });
      expect(lease).toMatchObject({ token: 4, expiredId: 'x' });
      expect(messages).toEqual([expect.stringContaining(name)]);
      expect(messages[0]).toContain('waits until the lease expires');
    },
  );

  it('that is renewed belongs to a living batch, whatever its pid (claim: one-batch-per-ledger)', async () => {
    const folder = makeTree();
    await plant(folder, 3, { pid: DEAD, pidNamespace: 'pid:[1]' });
    const waiting = acquire(folder, { timing: { ...TIMING, leaseMs: 1_000_000 } });
    await sleep(50);
    // The other batch renews its lease by a rename.
    const renewed = makeTree();
    await plant(renewed, 3, { pid: DEAD, pidNamespace: 'pid:[1]', host: 'renewed' });
    renameSync(join(renewed, 'lease-3.json'), join(folder, 'lease-3.json'));
    await expect(waiting).rejects.toMatchObject({ message: expect.stringContaining('on renewed') });
  });

  it.each([
    ['damaged', (file: string) => writeFileSync(file, '{"sum":')],
    ['a folder', (file: string) => mkdirSync(file)],
  ])('that is %s is taken over when nothing has renewed it', async (_, make) => {
    const folder = makeTree();
    make(join(folder, 'lease-2.json'));
    const messages: string[] = [];
    expect((await acquire(folder, { onWait: (message) => messages.push(message) })).token).toBe(3);
    expect(messages[0]).toContain('the owner is unknown');
    expect(readdirSync(folder)).toEqual(['lease-3.json']);
  });

  it('that is forged as that of a dead process is not taken over at once (claim: lease-signed)', async () => {
    const folder = makeTree();
    await plant(folder, 2, { pid: DEAD }, OTHER);
    const timing = { ...TIMING, leaseMs: 1_000_000 };
    const { signal } = new AbortController();
    const controller = new AbortController();
    const waiting = acquire(folder, {
      timing,
      signal: AbortSignal.any([signal, controller.signal]),
    });
    setTimeout(() => controller.abort(), 100);
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(readdirSync(folder)).toEqual(['lease-2.json']);
  });

  it('with a forged token beyond all bounds is removed', async () => {
    const folder = makeTree({ 'lease-9999999999999.json': '', 'lease-4.json': '' });
    expect((await acquire(folder)).token).toBe(5);
  });

  it('that was taken over is noticed by its owner, at the next check and by its heartbeat (claim: fencing)', async () => {
    const folder = makeTree();
    let lost: Error | undefined;
    const lease = await acquire(folder, { onLost: (error) => (lost = error) });
    await lease.check();
    await plant(folder, 2, {});
    await expect(lease.check()).rejects.toThrow(/^Another batch has taken over the ledger/);
    while (lost === undefined) await sleep(5);
    expect(lost.message).toContain('taken over');
  });

  it('is renewed, also if its file was removed', async () => {
    const folder = makeTree();
    await acquire(folder);
    const file = join(folder, 'lease-1.json');
    const first = readFileSync(file, 'utf8');
    while (readFileSync(file, 'utf8') === first) await sleep(5);
    renameSync(file, join(folder, 'moved'));
    while (!readdirSync(folder).includes('lease-1.json')) await sleep(5);
  });
});

describe('the leases of a batch', () => {
  it('protect the state folder and the output folder, each on its own (claim: one-batch-per-ledger)', async () => {
    const [out, otherOut, stateDir, otherState] = [makeTree(), makeTree(), makeTree(), makeTree()];
    const open = (at: string, state: string) => {
      const request = { out: at, stateDir: state, ledgerFile: join(state, 'ledger.jsonl') };
      return BatchLease.acquire({ ...request, seal: SEAL, onWait: () => {}, timing: TIMING });
    };
    const lease = await open(out, stateDir);
    await expect(open(otherOut, stateDir)).rejects.toThrow(/Another batch uses .*ledger\.jsonl/);
    await expect(open(out, otherState)).rejects.toThrow(`Another batch uses ${out}`);
    await lease.release();
    await (await open(out, otherState)).release();
    await (await open(otherOut, stateDir)).release();
  });
});
