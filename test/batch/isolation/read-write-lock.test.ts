import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ReadWriteLock } from '../../../src/batch/isolation/read-write-lock.js';

describe('a read-write lock', () => {
  it('lets readers in together and writers one at a time, in the order of their calls', async () => {
    const lock = new ReadWriteLock();
    const log: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      log.push(`${name}+`);
      await nextTurn();
      log.push(`${name}-`);
    };
    await Promise.all([
      lock.shared(work('a')),
      lock.shared(work('b')),
      lock.exclusive(work('C')),
      lock.exclusive(work('D')),
      lock.shared(work('e')),
      lock.shared(work('f')),
    ]);
    expect(log.join(' ')).toBe('a+ b+ a- b- C+ C- D+ D- e+ f+ e- f-');
  });

  it('is released after an action that failed', async () => {
    const lock = new ReadWriteLock();
    const fail = async (): Promise<never> => {
      throw new Error('failed');
    };
    await expect(lock.exclusive(fail)).rejects.toThrow('failed');
    await expect(lock.shared(fail)).rejects.toThrow('failed');
    expect(await lock.exclusive(async () => 'done')).toBe('done');
  });
});
