import { describe, expect, it } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { Lease } from '../../../src/batch/state/lease.js';
import { createLease, renewLease } from '../../../src/batch/state/lease-file.js';
import { readLiveness } from '../../../src/batch/state/read-liveness.js';
import { Seal } from '../../../src/batch/state/seal.js';
import { makeTree } from '../../base/fs/make-tree.js';

const seal = new Seal('key of the test', 'a key');
const TIMING = { beatMs: 100, leaseMs: 400, pollMs: 10 };
const contentOf = (owner: object) => ({
  leaseId: 'other',
  owner: { ...describeProcess(), id: 'other', ...owner },
  startedAt: 'now',
  beat: 0,
});

describe('the liveness of a batch', () => {
  it('is that of the owner of the lease, and the lease stays as it is', async () => {
    const folder = makeTree();
    expect(await readLiveness(folder, seal)).toEqual({ kind: 'none' });
    const request = {
      folder,
      seal,
      subject: 'x',
      leaseId: 'own',
      onWait: () => {},
      onLost: () => {},
    };
    const lease = await Lease.acquire(request);
    expect(await readLiveness(folder, seal)).toMatchObject({ kind: 'alive' });
    await lease.release();
    expect(await readLiveness(folder, seal)).toEqual({ kind: 'none' });
  });

  it.each([
    ['dead', { startTime: 1 }],
    ['alive', {}],
    ['dead', { id: describeProcess().id }],
    ['silent', { boot: 'other', host: 'other' }],
  ])('is %s for an owner with %j', async (kind, owner) => {
    const folder = makeTree();
    await createLease(folder, 1, contentOf(owner), seal);
    expect(await readLiveness(folder, seal, TIMING)).toMatchObject({ kind });
  });

  it('is seen in the next renewal, if the owner is on another machine', async () => {
    const folder = makeTree();
    const content = contentOf({ boot: 'other', host: 'other' });
    await createLease(folder, 1, content, seal);
    const reading = readLiveness(folder, seal, { ...TIMING, beatMs: 4_000 });
    await renewLease(folder, 1, { ...content, beat: 1 }, seal);
    const timer = setInterval(() => {
      content.beat++;
      void renewLease(folder, 1, content, seal);
    }, 30);
    expect(await reading).toMatchObject({ kind: 'alive' });
    clearInterval(timer);
    expect(await readLiveness(folder, new Seal('other key', 'k'), TIMING)).toEqual({
      kind: 'silent',
      owner: undefined,
    });
  });
});
