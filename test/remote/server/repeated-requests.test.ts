import { afterEach, describe, expect, it, vi } from 'vitest';
import { RepeatedRequests } from '../../../src/remote/server/repeated-requests.js';

afterEach(() => void vi.useRealTimers());

describe('RepeatedRequests', () => {
  it('runs an action once for each key, also while it runs, and always without a key', async () => {
    const requests = new RepeatedRequests();
    let count = 0;
    const act = async () => ({ status: 200, body: { count: ++count } });
    const answers = await Promise.all([
      requests.run('a', act),
      requests.run('a', act),
      requests.run('b', act),
      requests.run(undefined, act),
      requests.run(undefined, act),
    ]);
    expect(answers.map(({ body }) => body)).toEqual([1, 1, 2, 3, 4].map((n) => ({ count: n })));
  });

  it('forgets an error of the server at once, and an answer after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const requests = new RepeatedRequests();
    const fail = async () => Promise.reject(new Error('broken'));
    await expect(requests.run('a', fail)).rejects.toThrow('broken');
    const answer = (status: number) => async () => ({ status, body: {} });
    expect((await requests.run('a', answer(1))).status).toBe(1);
    vi.advanceTimersByTime(9 * 60_000);
    expect((await requests.run('a', answer(2))).status).toBe(1);
    vi.advanceTimersByTime(2 * 60_000);
    expect((await requests.run('a', answer(3))).status).toBe(3);
  });
});
