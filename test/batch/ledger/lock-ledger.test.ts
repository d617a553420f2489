import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockLedger } from '../../../src/batch/ledger/lock-ledger.js';
import { makeTree } from '../../base/fs/make-tree.js';

const startedAt = '2020-01-01T00:00:00.000Z';
const mine = { pid: process.pid, host: hostname(), startedAt };
const DEAD = 2 ** 22 + 1;

it('refuses a second batch with the process and the start of the first, until it is over', async () => {
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
  ['of a dead process, on a system that tells no start', JSON.stringify({ ...mine, pid: DEAD })],
  ['of another process with the same number', JSON.stringify({ ...mine, processStart: 1 })],
  ['that is garbage', '{"pid'],
  ['that is empty', ''],
])('takes a lock over %s', async (_, text) => {
  const ledger = join(makeTree({ 'ledger.jsonl.lock': text }), 'ledger.jsonl');
  const release = await lockLedger(ledger);
  await expect(lockLedger(ledger)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await release();
  expect(existsSync(`${ledger}.lock`)).toBe(false);
});

it('takes over also where another one died while it did the same', async () => {
  const dead = JSON.stringify({ ...mine, pid: DEAD, processStart: 1 });
  const names = ['lock', 'lock.stale', 'lock.0b1c'];
  const files = Object.fromEntries(names.map((name) => [`ledger.jsonl.${name}`, dead]));
  const folder = makeTree(files);
  const release = await lockLedger(join(folder, 'ledger.jsonl'));
  await release();
  expect(readdirSync(folder)).toEqual([]);
});

it('respects a batch on another machine, and names it', async () => {
  const elsewhere = JSON.stringify({ ...mine, host: 'elsewhere', pid: DEAD });
  const ledger = join(makeTree({ 'ledger.jsonl.lock': elsewhere }), 'ledger.jsonl');
  await expect(lockLedger(ledger)).rejects.toThrow(`process ${DEAD} on elsewhere`);
});

it('gives only its own lock back', async () => {
  const ledger = join(makeTree(), 'ledger.jsonl');
  const release = await lockLedger(ledger);
  writeFileSync(`${ledger}.lock`, 'of somebody else');
  await release();
  expect(readFileSync(`${ledger}.lock`, 'utf8')).toBe('of somebody else');
});

it('lets exactly one of many in at the same time, also past a stale lock', async () => {
  for (let round = 0; round < 10; round++) {
    const stale = JSON.stringify({ ...mine, pid: DEAD, processStart: 1 });
    const ledger = join(makeTree({ 'ledger.jsonl.lock': stale }), 'ledger.jsonl');
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => lockLedger(ledger)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});
