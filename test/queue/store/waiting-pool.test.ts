import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WaitingPool } from '../../../src/queue/store/waiting-pool.js';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function openPool() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const failures: Error[] = [];
  const asked: string[] = [];
  const answer = async (text: string) => {
    asked.push(text);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return { rows: [{ ok: true }], rowCount: 1 };
  };
  class Pool extends EventEmitter {
    query = answer;
    end = async () => void asked.push('end');
  }
  class Client extends EventEmitter {
    connect = () => answer('connect');
    end = async () => void asked.push('client end');
  }
  const told: [boolean, string][] = [];
  // @ts-expect-error: the members of the driver that the pool uses.
  const pool = new WaitingPool({ Pool, Client }, {}, (...what) => told.push(what));
  return { pool, failures, asked, told };
}

it('sends a query again until the server is back, and tells both once', async () => {
  const { pool, failures, asked, told } = openPool();
  failures.push(refused(), refused(), refused());
  const answered = pool.query('SELECT 1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await answered).rows).toEqual([{ ok: true }]);
  expect(asked).toHaveLength(4);
  expect(told).toEqual([
    [false, 'connect ECONNREFUSED'],
    [true, 'The store answers again'],
  ]);
});

it('does not repeat a query that the server has refused, and one that is asked once', async () => {
  const { pool, failures, asked } = openPool();
  failures.push(Object.assign(new Error('syntax'), { code: '42601' }), refused());
  await expect(pool.query('X')).rejects.toThrow('syntax');
  await expect(pool.queryOnce('Y')).rejects.toThrow('ECONNREFUSED');
  expect(asked).toEqual(['X', 'Y']);
});

it('sends a query again that the server has undone because of another transaction, without a word, ten times', async () => {
  const { pool, failures, asked, told } = openPool();
  const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });
  failures.push(deadlock(), deadlock());
  const answered = pool.query('SELECT 1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await answered).rows).toEqual([{ ok: true }]);
  expect([asked.length, told]).toEqual([3, []]);
  failures.push(...Array.from({ length: 10 }, deadlock));
  const failed = pool.query('SELECT 1').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await failed).toMatchObject({ code: '40P01' });
  expect(asked).toHaveLength(13);
});

it('gives a waiting query up when the pool ends', async () => {
  const { pool, failures } = openPool();
  failures.push(...Array.from({ length: 50 }, refused));
  const answered = pool.query('SELECT 1').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(200);
  await pool.end();
  await pool.end();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await answered).toMatchObject({ code: 'ECONNREFUSED' });
});

it('waits for a connection of its own while the server has none left, and refuses a query meanwhile', async () => {
  const { pool, failures, told } = openPool();
  const tooMany = () => Object.assign(new Error('too many clients already'), { code: '53300' });
  failures.push(tooMany(), tooMany());
  const connected = pool.connect();
  await vi.advanceTimersByTimeAsync(1_000);
  (await connected).release();
  expect(told.map(([isConnected]) => isConnected)).toEqual([false, true]);
  failures.push(tooMany(), tooMany());
  await expect(pool.query('X')).rejects.toThrow('too many clients');
  await expect(pool.connectOnce()).rejects.toThrow('too many clients');
});

it('an error of a connection that BullMQ has given up does not end the process', async () => {
  const { pool, asked } = openPool();
  const client = await pool.connect();
  client.removeAllListeners();
  // @ts-expect-error: a client of `pg` is an emitter.
  expect(client.emit('error', refused())).toBe(true);
  client.release();
  expect(asked).toEqual(['connect', 'client end']);
});
