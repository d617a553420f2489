import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WaitingLine } from '../../../src/batch/run/waiting-line.js';

it('runs a limited number of actions at a time, in order, also after a failure', async () => {
  const line = new WaitingLine(3);
  const order: number[] = [];
  let [running, most] = [0, 0];
  const all = Array.from({ length: 20 }, (_, n) =>
    line.run(async () => {
      order.push(n);
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      if (n === 4) throw new Error('failed');
      return n;
    }),
  );
  const ends = await Promise.allSettled(all);
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await line.run(async () => 'again')).toBe('again');
});
