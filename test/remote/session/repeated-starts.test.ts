import { describe, expect, it, vi } from 'vitest';
import { RepeatedStarts } from '../../../src/remote/session/repeated-starts.js';

describe('RepeatedStarts', () => {
  it('starts one session for requests with the same id, also while it starts', async () => {
    const starts = new RepeatedStarts();
    const start = vi.fn(async () => `session ${start.mock.calls.length}`);
    const ids = await Promise.all([starts.run('a', start), starts.run('a', start)]);
    expect(ids).toEqual(['session 1', 'session 1']);
    expect(await starts.run('b', start)).toBe('session 2');
  });

  it('may start again after a start that was refused', async () => {
    const starts = new RepeatedStarts();
    await expect(starts.run('a', async () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(await starts.run('a', async () => 'session')).toBe('session');
  });

  it('knows the starts of an earlier run of the server, and forgets the oldest beyond 1000', async () => {
    const starts = new RepeatedStarts();
    starts.restore(undefined, 'session of the desk');
    for (let count = 0; count <= 1_000; count++) starts.restore(`${count}`, `session ${count}`);
    expect(await starts.run('1', async () => 'another')).toBe('session 1');
    expect(await starts.run('0', async () => 'another')).toBe('another');
  });
});
