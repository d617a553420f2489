import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisBlobs } from '../../../src/queue/store/redis-blobs.js';
import { startTinyRedis } from './tiny-redis.js';

async function openBlobs() {
  const server = await startTinyRedis();
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const clock = { nowMs: 1_000, now: () => clock.nowMs };
  return { server, clock, blobs: new RedisBlobs(redis, 'q', clock) };
}

describe('RedisBlobs', () => {
  it('gives the bytes back as they were, also a part of a larger buffer', async () => {
    const { server, blobs } = await openBlobs();
    const whole = new Uint8Array([9, 0, 255, 13, 10, 9]);
    await blobs.put('room/a', whole.subarray(1, 5), 50.5);
    expect([...((await blobs.get('room/a')) ?? [])]).toEqual([0, 255, 13, 10]);
    expect(server.lives.get('q:blob:room/a')).toBe(51);
    expect(await blobs.has('room/a')).toBe(true);
    await blobs.put('room/a', new Uint8Array(), 50);
    expect(await blobs.get('room/a')).toEqual(Buffer.alloc(0));
  });

  it('has nothing under a key that was never written or was removed', async () => {
    const { blobs } = await openBlobs();
    expect(await blobs.get('room/a')).toBeUndefined();
    expect(await blobs.has('room/a')).toBe(false);
    await blobs.put('room/a', Buffer.from('x'), 50);
    await blobs.delete('room/a');
    await blobs.delete('room/a');
    expect(await blobs.has('room/a')).toBe(false);
    expect(await blobs.list('room/')).toEqual([]);
  });

  it('lists the keys of a room in order whose time is not over by the clock of the store', async () => {
    const { clock, blobs } = await openBlobs();
    await blobs.put('room/b', Buffer.from('b'), 500);
    await blobs.put('room/a', Buffer.from('a'), 100);
    await blobs.put('room/sub/c', Buffer.from('c'), 500);
    await blobs.put('other/d', Buffer.from('d'), 500);
    expect(await blobs.list('room/')).toEqual(['room/a', 'room/b', 'room/sub/c']);
    expect(await blobs.list('room/sub')).toEqual(['room/sub/c']);
    clock.nowMs = 1_101;
    expect(await blobs.list('room/')).toEqual(['room/b', 'room/sub/c']);
  });

  it('removes keys whose time is over from the list of a room when it writes there', async () => {
    const { server, clock, blobs } = await openBlobs();
    await blobs.put('room/a', Buffer.from('a'), 100);
    clock.nowMs = 2_000;
    await blobs.put('room/b', Buffer.from('b'), 100);
    expect([...(server.sets.get('q:blob-index:room') ?? [])]).toEqual([['room/b', 2_100]]);
  });

  it('gives a blob a new time to live, and makes no list entry for one that is missing', async () => {
    const { server, clock, blobs } = await openBlobs();
    await blobs.put('room/a', Buffer.from('a'), 100);
    clock.nowMs = 1_050;
    await blobs.touch('room/a', 500);
    await blobs.touch('room/missing', 500);
    expect(server.lives.get('q:blob:room/a')).toBe(500);
    expect([...(server.sets.get('q:blob-index:room') ?? [])]).toEqual([['room/a', 1_550]]);
  });

  it('throws the error of a command inside of a transaction', async () => {
    const { server, blobs } = await openBlobs();
    server.refuse.set('SET', 'OOM command not allowed');
    await expect(blobs.put('room/a', Buffer.from('a'), 100)).rejects.toThrow('OOM command');
    expect(await blobs.get('room/a')).toBeUndefined();
  });
});
