import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryLedger } from '../../../src/batch/ledger/ledger-file.js';
import { type OldLedger, readOldLedger } from '../../../src/batch/ledger/read-old-ledger.js';
import { BatchState } from '../../../src/batch/run/batch-state.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { date, RECORDED } from './record-ledger.js';

const lines = date(RECORDED).map((entry) => `${JSON.stringify(entry)}\n`);
const AT = '"at":"2020-01-01T00:00:00.000Z"';

async function readText(
  text: string | Buffer,
  file = join(makeTree(), 'ledger.jsonl'),
): Promise<OldLedger> {
  writeFileSync(file, text);
  return readOldLedger(file);
}

it('a ledger of version 0.1.0 without generation ids is read', async () => {
  const read = await readText(
    [
      lines[0]?.trimEnd(),
      `{${AT},"type":"start","step":"a","attempt":1,"lane":0,"key":"k","prompt":"p"}`,
      `{${AT},"type":"attempt","step":"a","attempt":1,"outcome":"succeeded","repairs":0,"sessionId":"s"}`,
      `{${AT},"type":"done","step":"a","key":"k","result":{"text":"t","files":[],"deniedTools":[],"warnings":[]},"inputs":{}}`,
      '',
    ].join('\n'),
  );
  expect([read.entries.length, read.badLines]).toEqual([4, 0]);
  const [step] = new BatchState(memoryLedger, read.entries).report().steps;
  expect(step).toMatchObject({ state: 'succeeded', attempts: [{ sessionId: 's' }] });
  expect(JSON.stringify(step)).not.toContain('generationId');
});

it('an entry of an old ledger names no merge, because the name leads to files on the disk', async () => {
  const done = `{${AT},"type":"done","step":"a","key":"k","merge":"0123456789abcdef","result":{"files":[],"deniedTools":[],"warnings":[]},"inputs":{}}`;
  const { entries } = await readText(`${done}\n`);
  expect(entries).toMatchObject([{ type: 'done', merge: undefined }]);
});

it('an old ledger with any flipped bit gives a report and no TypeError', async () => {
  const file = join(makeTree(), 'ledger.jsonl');
  const whole = Buffer.from(lines.join(''));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      const { entries } = await readText(flipped, file);
      new BatchState(memoryLedger, entries).report();
    }),
    { numRuns: 300 },
  );
});
