import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestJson } from '../../../src/base/json/digest-json.js';
import { describeDamage } from '../../../src/batch/ledger/describe-damage.js';
import { LedgerFile, memoryLedger } from '../../../src/batch/ledger/ledger-file.js';
import { formatLedgerLine } from '../../../src/batch/ledger/ledger-line.js';
import { type ReadLedger, readLedger } from '../../../src/batch/ledger/read-ledger.js';
import { BatchState } from '../../../src/batch/run/batch-state.js';
import { Seal } from '../../../src/batch/state/seal.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { date, PLAN, RECORDED } from './record-ledger.js';

const SEAL = new Seal('k', 'the key');
const LINE = { batch: 'b', token: 1 };
const entries = date(RECORDED);
const lines = entries.map((entry, index) => {
  return formatLedgerLine({ ...LINE, seq: index + 1, entry }, SEAL);
});

/** Reads a ledger with these lines. */
async function readText(
  text: string | Buffer,
  file = join(makeTree(), 'ledger.jsonl'),
): Promise<ReadLedger> {
  writeFileSync(file, text);
  return readLedger(file, SEAL);
}

function reportOf(read: ReadLedger) {
  return new BatchState(memoryLedger, read.entries, describeDamage(read)).report();
}

it('a ledger that does not exist is read as empty', async () => {
  const read = await readLedger(join(makeTree(), 'none'), SEAL);
  expect(read).toEqual({
    entries: [],
    batch: undefined,
    lastToken: 0,
    nextSeq: 1,
    tornLines: 0,
    damagedLines: 0,
    foreignLines: 0,
    unsignedLines: 0,
    endsWithNewline: true,
  });
});

it('a ledger that is cut off at any byte keeps its complete entries', async () => {
  const file = join(makeTree(), 'ledger.jsonl');
  const whole = Buffer.from(lines.slice(0, 7).join(''));
  // Cuts near the end of each line, and at some of the other bytes: cuts inside a line are much alike.
  const isTried = (bytes: number) => {
    return bytes % 9 === 0 || whole.subarray(Math.max(0, bytes - 3), bytes + 3).includes(10);
  };
  const cuts = Array.from({ length: whole.length + 1 }, (_, bytes) => bytes).filter(isTried);
  for (const bytes of cuts) {
    const cut = whole.subarray(0, bytes);
    const read = await readText(cut, file);
    const newlines = cut.filter((byte) => byte === 10).length;
    const isWholeLine = bytes === whole.length || whole[bytes] === 10;
    const isOpen = bytes > 0 && whole[bytes - 1] !== 10;
    expect(read.entries.length).toBe(newlines + (isOpen && isWholeLine ? 1 : 0));
    expect(read.endsWithNewline).toBe(!isOpen);
    expect([read.tornLines, read.damagedLines]).toEqual([isOpen && !isWholeLine ? 1 : 0, 0]);
    expect(reportOf(read).steps.length).toBe(read.entries.length === 0 ? 0 : 3);
  }
});

it('a flipped bit anywhere costs the lines that it touches, and no wrong entry is read (claim: ledger-damage)', async () => {
  const file = join(makeTree(), 'ledger.jsonl');
  const whole = Buffer.from(lines.join(''));
  const texts = new Set(entries.map((entry) => digestJson(entry)));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      const read = await readText(flipped, file);
      // A flip of a newline joins two lines.
      expect(read.entries.length).toBeGreaterThanOrEqual(lines.length - 2);
      for (const entry of read.entries) expect(texts).toContain(digestJson(entry));
      if (read.entries.length < lines.length) {
        expect(read.damagedLines + read.tornLines).toBeGreaterThan(0);
      }
      expect(read.foreignLines).toBe(0);
      reportOf(read);
    }),
    { numRuns: 300 },
  );
});

it('lines that are missing, repeated, in another order or of another batch are noticed (claim: ledger-order)', async () => {
  const [first = '', second = '', third = '', ...rest] = lines;
  const other = formatLedgerLine(
    { batch: 'x', token: 9, seq: 99, entry: { type: 'end', at: '' } },
    SEAL,
  );
  const cases = {
    missing: [first, third, ...rest],
    repeated: [first, second, second, third, ...rest],
    order: [first, third, second, ...rest],
    foreign: [other, first, second, third, ...rest],
  };
  for (const [name, text] of Object.entries(cases)) {
    const read = await readText(text.join(''));
    expect([name, read.damagedLines > 0, read.batch]).toEqual([name, true, 'b']);
    expect(read.entries.length).toBeGreaterThanOrEqual(lines.length - 1);
    expect(reportOf(read).warnings[0]?.code).toBe('DAMAGED_LEDGER');
  }
});

it('lines of a run that had lost its lease do not count (claim: fencing)', async () => {
  const line = (token: number, seq: number, step: string) => {
    const entry = { type: 'cancelled' as const, at: '', step };
    return formatLedgerLine({ batch: 'b', token, seq, entry }, SEAL);
  };
  // The run with token 1 wrote its lines 2 and 3 after the run with token 2 had read the ledger.
  const text = [
    line(1, 1, 'a'),
    line(1, 2, 'late'),
    line(2, 2, 'b'),
    line(1, 3, 'later'),
    line(2, 3, 'c'),
  ];
  const read = await readText(text.join(''));
  const steps = read.entries.map((entry) => ('step' in entry ? entry.step : ''));
  expect(steps).toEqual(['a', 'b', 'c']);
  expect(read).toMatchObject({ damagedLines: 2, lastToken: 2, nextSeq: 4 });
});

it('a ledger of another key is told from a damaged one', async () => {
  const other = new Seal('another', 'another key');
  const foreign = entries.map((entry, index) => {
    return formatLedgerLine({ ...LINE, seq: index + 1, entry }, other);
  });
  expect(await readText(foreign.join(''))).toMatchObject({
    batch: undefined,
    entries: [],
    foreignLines: lines.length,
  });
  const plain = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  expect(await readText(plain.join(''))).toMatchObject({
    batch: undefined,
    entries: [],
    unsignedLines: lines.length,
  });
});

it('a ledger is continued after a torn line, and the report warns of that line', async () => {
  const path = join(makeTree(), 'ledger.jsonl');
  writeFileSync(path, `${lines.slice(0, 3).join('')}${lines[3]?.slice(0, 40)}`);
  const torn = await readLedger(path, SEAL);
  const ledger = await LedgerFile.open({ path, seal: SEAL, ...LINE, ...torn, batch: 'b' });
  await ledger.append({ ...PLAN, at: '2020' });
  await ledger.close();
  const read = await readLedger(path, SEAL);
  expect([read.entries.length, read.tornLines, read.damagedLines]).toEqual([4, 1, 0]);
  expect(reportOf(read).warnings).toMatchObject([
    { code: 'TORN_LEDGER', message: /^Ignored 1 incomplete ledger line / },
  ]);
});

it('a ledger with any garbage between its lines is read', async () => {
  const file = join(makeTree(), 'ledger.jsonl');
  const garbage = fc.oneof(
    fc.string().map((text) => `${text}\n`),
    fc.json().map((text) => `${text}\n`),
    fc.constantFrom(
      '{"type":"done","at":"x","step":"a","key":"k","result":{},"inputs":{}}\n',
      '\0\0\0\n',
    ),
    fc.constantFrom(
      '{"type":"start"}\n',
      '{"type":"plan","at":"","name":"","planHash":"","steps":1}\n',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(garbage), fc.nat(lines.length), async (junk, index) => {
      writeFileSync(file, lines.slice(0, index).join(''));
      appendFileSync(file, junk.join(''));
      appendFileSync(file, lines.slice(index).join(''));
      const read = await readLedger(file, SEAL);
      expect(read.entries).toHaveLength(lines.length);
      reportOf(read);
    }),
    { numRuns: 50 },
  );
});

it('a ledger file gets simultaneous entries in their order, each once, with their own times', async () => {
  const path = join(makeTree(), 'deep', 'ledger.jsonl');
  const ledger = await LedgerFile.open({
    path,
    seal: SEAL,
    ...LINE,
    nextSeq: 1,
    endsWithNewline: true,
  });
  await Promise.all(entries.map((entry) => ledger.append(entry)));
  await ledger.close();
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
});

it('a ledger file reports a full disk on each write', async () => {
  const options = { path: '/dev/full', seal: SEAL, ...LINE, nextSeq: 1, endsWithNewline: true };
  const ledger = await LedgerFile.open(options);
  const full = { code: 'INVALID_INPUT', hint: expect.stringContaining('ENOSPC') };
  await expect(ledger.append({ type: 'end', at: '' })).rejects.toMatchObject(full);
  await expect(ledger.append({ type: 'end', at: '' })).rejects.toMatchObject(full);
  await ledger.close();
});

it('a ledger file writes nothing after its run has lost the lease (claim: fencing)', async () => {
  const path = join(makeTree(), 'ledger.jsonl');
  let isLost = false;
  const check = async () => {
    if (isLost) throw new Error('lost');
  };
  const options = { path, seal: SEAL, ...LINE, nextSeq: 1, endsWithNewline: true, check };
  const ledger = await LedgerFile.open(options);
  await ledger.append({ type: 'end', at: '' });
  const before = readFileSync(path, 'utf8');
  isLost = true;
  await expect(ledger.append({ type: 'end', at: '' })).rejects.toMatchObject({ hint: /^lost/ });
  await ledger.close();
  expect(readFileSync(path, 'utf8')).toBe(before);
});
