import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { resolveShipLimits } from '../../../src/queue/workspace/check-limit.js';
import {
  type PackLimit,
  readPack,
  storePack,
  touchPack,
} from '../../../src/queue/workspace/pack-blobs.js';
import { createMemoryBlobs } from './support.js';

/** Limit of a pack with so many bytes. */
function most(maxChangesBytes: number): PackLimit {
  const limits = resolveShipLimits({ maxChangesBytes });
  return { limits, name: 'maxChangesBytes', subject: 'The changes' };
}

const MOST = most(100_000_000);

/** Stores a pack of six chunks, the last of which is short. */
async function storeLarge() {
  const blobs = createMemoryBlobs();
  const bytes = randomBytes(5 * 1024 * 1024 + 7);
  const reference = await storePack(blobs, bytes);
  return { blobs, bytes, reference };
}

describe('a pack', () => {
  it('that is small travels in its reference, unless others share it', async () => {
    const blobs = createMemoryBlobs();
    const bytes = Buffer.from([0, 255, 10]);
    const inline = await storePack(blobs, bytes);
    expect(blobs.blobs.size).toBe(0);
    expect(await readPack(blobs, inline, most(3))).toEqual(bytes);
    expect(await touchPack(blobs, inline)).toBe(true);
    const shared = await storePack(blobs, bytes, { isShared: true });
    expect(blobs.blobs.size).toBe(2);
    expect(await readPack(blobs, shared, most(3))).toEqual(bytes);
    expect(await readPack(blobs, { bytes: 0 }, most(3))).toEqual(Buffer.alloc(0));
  });

  it('that is large lies in chunks, and comes back as it was', async () => {
    const { blobs, bytes, reference } = await storeLarge();
    expect(blobs.blobs.size).toBe(7);
    expect((await readPack(blobs, reference, MOST)).equals(bytes)).toBe(true);
    expect(await touchPack(blobs, reference)).toBe(true);
  });

  it('is stored anew when the store has lost a part of it, or its list', async () => {
    const lost = await storeLarge();
    const [chunk = ''] = lost.blobs.blobs.keys();
    lost.blobs.blobs.delete(chunk);
    expect(await touchPack(lost.blobs, lost.reference)).toBe(false);
    await expect(readPack(lost.blobs, lost.reference, MOST)).rejects.toMatchObject({
      code: 'INCOMPLETE',
      message: expect.stringContaining('The store has lost blob'),
    });
    lost.blobs.blobs.delete(`pack/${lost.reference.list}`);
    expect(await touchPack(lost.blobs, lost.reference)).toBe(false);
  });

  it('is refused when it is larger than allowed, before anything is read', async () => {
    const blobs = createMemoryBlobs();
    await expect(readPack(blobs, { bytes: 11, list: 'x' }, most(10))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message:
        'The changes cannot travel: it has 11 bytes in the changes of the step, and `limits.maxChangesBytes` allows 10',
    });
  });

  it('is refused when a chunk or the list was replaced', async () => {
    const { blobs, reference } = await storeLarge();
    for (const key of [...blobs.blobs.keys()].slice(0, 1)) blobs.blobs.set(key, Buffer.from('x'));
    await expect(readPack(blobs, reference, MOST)).rejects.toThrow('has a blob that is not');
  });

  it.each([
    ['no list at all', 'has a list that is no list'],
    ['a'.repeat(64), 'has a list of another length than the job says'],
  ])('is refused when its list is %j', async (text, problem) => {
    const blobs = createMemoryBlobs();
    const { list } = await storePack(blobs, Buffer.from(text), { isShared: true });
    // The one chunk of that pack, under its own name.
    const name = [...blobs.blobs.keys()].find((key) => key !== `pack/${list}`)?.slice(5);
    const forged = { bytes: 2 * 1024 * 1024, list: name };
    await expect(readPack(blobs, forged, MOST)).rejects.toThrow(problem);
  });

  it.each([{ bytes: 4, inline: 'AAAA' }, { bytes: 4 }])(
    'is refused when %j says another size',
    async (reference) => {
      await expect(readPack(createMemoryBlobs(), reference, MOST)).rejects.toThrow(
        'has another size than the job says',
      );
    },
  );
});
