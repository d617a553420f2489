import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LedgerFile, memoryLedger } from '../../../src/batch/ledger/ledger-file.js';
import { readLedger } from '../../../src/batch/ledger/read-ledger.js';
import { BatchState } from '../../../src/batch/run/batch-state.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { date, PLAN, RECORDED } from './record-ledger.js';

const entries = date(RECORDED);
const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);

it('a ledger that does not exist is read as empty', async () => {
  const read = await readLedger(join(makeTree(), 'none'));
  expect(read).toEqual({ entries: [], tornLines: 0, endsWithNewline: true });
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
    writeFileSync(file, cut);
    const read = await readLedger(file);
    const newlines = cut.filter((byte) => byte === 10).length;
    const isWholeLine = bytes === whole.length || whole[bytes] === 10;
    const isOpen = bytes > 0 && whole[bytes - 1] !== 10;
    expect(read.entries.length).toBe(newlines + (isOpen && isWholeLine ? 1 : 0));
    expect(read.endsWithNewline).toBe(!isOpen);
    expect(read.tornLines).toBe(isOpen && !isWholeLine ? 1 : 0);
    const report = new BatchState(memoryLedger, read.entries, read.tornLines).report();
    expect(report.steps.length).toBe(read.entries.length === 0 ? 0 : 3);
  }
});

it('a ledger of an earlier version without generation ids is read', async () => {
  const file = join(makeTree(), 'ledger.jsonl');
  const start = `"step":"a","attempt":1,"lane":0,"key":"k","prompt":"p"`;
  writeFileSync(
    file,
    [
      lines[0]?.trimEnd(),
      `{"at":"2020","type":"start",${start}}`,
      '{"at":"2020","type":"attempt","step":"a","attempt":1,"outcome":"succeeded","repairs":0,"sessionId":"s"}',
      '{"at":"2020","type":"done","step":"a","key":"k","result":{"text":"t","files":[],"deniedTools":[],"warnings":[]},"inputs":{}}',
      '',
    ].join('\n'),
  );
  const read = await readLedger(file);
  expect([read.entries.length, read.tornLines]).toEqual([4, 0]);
  const [step] = new BatchState(memoryLedger, read.entries).report().steps;
  expect(step).toMatchObject({ state: 'succeeded', attempts: [{ sessionId: 's' }] });
  expect(JSON.stringify(step)).not.toContain('generationId');
});

it('a ledger is continued after a torn line, and the report warns of that line', async () => {
  const file = join(makeTree(), 'ledger.jsonl');
  writeFileSync(file, `${lines.slice(0, 3).join('')}{"type":"done","st`);
  const torn = await readLedger(file);
  const ledger = await LedgerFile.open(file, torn.endsWithNewline);
  await ledger.append({ ...PLAN, at: '2020' });
  await ledger.close();
  const read = await readLedger(file);
  expect([read.entries.length, read.tornLines]).toEqual([4, 1]);
  const { warnings } = new BatchState(memoryLedger, read.entries, read.tornLines).report();
  expect(warnings).toMatchObject([
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
      const read = await readLedger(file);
      expect(read.entries).toHaveLength(lines.length);
      new BatchState(memoryLedger, read.entries, read.tornLines).report();
    }),
    { numRuns: 50 },
  );
});

it('a ledger file gets simultaneous entries in their order, each once, with their own times', async () => {
  const file = join(makeTree(), 'deep', 'ledger.jsonl');
  const ledger = await LedgerFile.open(file, true);
  await Promise.all(entries.map((entry) => ledger.append(entry)));
  await ledger.close();
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
});

it('a ledger file reports a full disk on each write', async () => {
  const ledger = await LedgerFile.open('/dev/full', true);
  const full = { code: 'INVALID_INPUT', hint: expect.stringContaining('ENOSPC') };
  await expect(ledger.append({ type: 'end', at: '' })).rejects.toMatchObject(full);
  await expect(ledger.append({ type: 'end', at: '' })).rejects.toMatchObject(full);
  await ledger.close();
});
