import { describe, expect, it } from 'vitest';
import type { AttemptReport } from '../../../src/api/step-report.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import { createPartsOf } from '../../../src/batch/run/key-parts.js';
import { describeRerun, findRerunReason } from '../../../src/batch/run/rerun-reason.js';
import { RESULT } from '../ledger/record-ledger.js';
import { plannedStep } from './pieces.js';

const STEP = { ...plannedStep(0), config: { workingDir: '/p/w', model: 'm' } };
const partsOf = createPartsOf({ baseDir: '/p' });
const PARTS = partsOf(STEP, [RESULT]);

function reasonOf(more: {
  readonly outcome?: AttemptReport['outcome'];
  readonly isDone?: boolean;
  readonly key?: string;
  readonly parts?: typeof PARTS;
  readonly before?: typeof PARTS | undefined;
  readonly isRetry?: boolean;
  readonly isDamaged?: boolean;
  readonly changed?: readonly string[];
}) {
  const known = new LedgerFold().stepState('a');
  const attempt = { number: 1, lane: 0, startedAt: '', repairs: 0 };
  if (more.outcome !== undefined) known.attempts.push({ ...attempt, outcome: more.outcome });
  if (more.isDone === true) known.done = { key: 'k', result: RESULT, inputs: {} };
  known.parts = 'before' in more ? more.before : PARTS;
  return findRerunReason({
    known,
    key: more.key ?? 'other',
    parts: more.parts ?? PARTS,
    isRetry: more.isRetry ?? false,
    isDamaged: more.isDamaged ?? false,
    findChangedInputs: async () => more.changed ?? [],
  });
}

describe('the reason why a step runs', () => {
  it.each([
    ['new', {}],
    ['damaged', { isDamaged: true }],
    ['failed', { outcome: 'TIMEOUT' }],
    ['cancelled', { outcome: 'CANCELLED' }],
    ['interrupted', { outcome: 'interrupted' }],
    ['interrupted', { outcome: 'running' }],
    ['interrupted', { outcome: 'succeeded' }],
    ['damaged', { outcome: 'succeeded', isDamaged: true }],
    ['retry', { outcome: 'TIMEOUT', isRetry: true }],
  ] as const)('is %s for %j', async (reason, known) => {
    expect(await reasonOf(known)).toEqual({ reason });
  });

  it('is the part of the key that has changed', async () => {
    const done = { isDone: true, outcome: 'succeeded' } as const;
    const prompted = partsOf({ ...STEP, prompt: 'other' }, [RESULT]);
    expect(await reasonOf({ ...done, parts: prompted })).toEqual({ reason: 'prompt' });
    const expects = { contains: 'x' };
    const config = { workingDir: '/p/v', approvalMode: 'yolo' };
    const configured = partsOf({ ...STEP, config, expects, repair: 1 }, [RESULT]);
    expect(await reasonOf({ ...done, parts: configured })).toEqual({
      reason: 'configuration',
      changed: ['approvalMode', 'expects', 'model', 'repair', 'workingDir'],
    });
    const needing = partsOf(STEP, [{ ...RESULT, text: 'other' }]);
    expect(await reasonOf({ ...done, parts: needing })).toEqual({ reason: 'needs' });
  });

  it('names changed input files if the key is the same', async () => {
    const done = { isDone: true, key: 'k', changed: ['/p/a.js'] };
    expect(await reasonOf(done)).toEqual({ reason: 'inputs', changed: ['/p/a.js'] });
    expect(await reasonOf({ ...done, changed: [] })).toEqual({});
  });

  it('is not known if the ledger has no parts, or none of them has changed', async () => {
    expect(await reasonOf({ isDone: true, before: undefined })).toEqual({});
    expect(await reasonOf({ isDone: true })).toEqual({});
  });

  it('is described in words, with at most three names', () => {
    expect(describeRerun({})).toBe('');
    expect(describeRerun({ reason: 'failed' })).toBe('failed before');
    const changed = ['a', 'b', 'c', 'd', 'e'];
    expect(describeRerun({ reason: 'inputs', changed })).toBe('input changed: a, b, c, 2 more');
  });
});

it('steps that share a configuration share its digests, unless their expectations differ', () => {
  const again = partsOf({ ...STEP, prompt: 'x' }, []);
  expect(again.config).toBe(PARTS.config);
  expect(partsOf({ ...STEP, expects: { contains: 'x' } }, []).config).toHaveProperty('expects');
});
