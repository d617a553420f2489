import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockLedger } from '../../../src/batch/ledger/lock-ledger.js';
import { makeTree } from '../../base/fs/make-tree.js';

const startedAt = '2020-01-01T00:00:00.000Z';
const mine = { pid: process.pid, host: hostname(), startedAt };
const DEAD = 2 ** 22 + 1;

it('a locked ledger refuses a second batch and names the process and start of the first', async () => {
  const ledger = join(makeTree(), 'out', 'ledger.jsonl');
  const release = await lockLedger(ledger);
  const { startedAt: since } = JSON.parse(readFileSync(`${ledger}.lock`, 'utf8'));
  await expect(lockLedger(ledger)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: `Another batch uses ${ledger}: process ${process.pid}, started ${since}`,
  });
  await release();
  await (await lockLedger(ledger))();
  expect(readdirSync(join(ledger, '..'))).toEqual([]);
});

it.each([
  ['of a dead process', JSON.stringify({ ...mine, pid: DEAD, processStart: 1 })],
  [
    'of a dead process, on a system without process start times',
    JSON.stringify({ ...mine, pid: DEAD }),
  ],
  ['of an earlier process with the same pid', JSON.stringify({ ...mine, processStart: 1 })],
  ['with invalid content', '{"pid'],
  ['with no content', ''],
])('a batch takes over a lock %s', async (_, text) => {
  const ledger = join(makeTree({ 'ledger.jsonl.lock': text }), 'ledger.jsonl');
  const release = await lockLedger(ledger);
  await expect(lockLedger(ledger)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await release();
  expect(existsSync(`${ledger}.lock`)).toBe(false);
});

it('a batch takes over a lock after another process died during the same takeover', async () => {
  const dead = JSON.stringify({ ...mine, pid: DEAD, processStart: 1 });
  const names = ['lock', 'lock.stale', 'lock.0b1c'];
  const files = Object.fromEntries(names.map((name) => [`ledger.jsonl.${name}`, dead]));
  const folder = makeTree(files);
  const release = await lockLedger(join(folder, 'ledger.jsonl'));
  await release();
  expect(readdirSync(folder)).toEqual([]);
});

it('a lock of a batch on another machine is kept, and the error names the machine', async () => {
  const elsewhere = JSON.stringify({ ...mine, host: 'elsewhere', pid: DEAD });
  const ledger = join(makeTree({ 'ledger.jsonl.lock': elsewhere }), 'ledger.jsonl');
  await expect(lockLedger(ledger)).rejects.toThrow(`process ${DEAD} on elsewhere`);
});

it('releasing a lock removes only the lock of the same batch', async () => {
  const ledger = join(makeTree(), 'ledger.jsonl');
  const release = await lockLedger(ledger);
  writeFileSync(`${ledger}.lock`, 'another lock');
  await release();
  expect(readFileSync(`${ledger}.lock`, 'utf8')).toBe('another lock');
});

it('exactly one of many simultaneous calls takes over a stale lock', async () => {
  for (let round = 0; round < 10; round++) {
    const stale = JSON.stringify({ ...mine, pid: DEAD, processStart: 1 });
    const ledger = join(makeTree({ 'ledger.jsonl.lock': stale }), 'ledger.jsonl');
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => lockLedger(ledger)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});
