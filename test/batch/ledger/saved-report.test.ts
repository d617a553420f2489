import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../src/batch/ledger/build-report.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import type { NewLedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { attempt, date, PLAN, RESULT, start } from './record-ledger.js';

const saved: NewLedgerEntry = {
  type: 'saved',
  step: 'a',
  attempt: 1,
  key: 'k',
  result: {
    ...RESULT,
    generationId: 'g',
    text: 't',
    sessionId: 's',
    model: 'm',
    usage: undefined,
    durationMs: 1,
    transport: 'acp',
    cliVersion: undefined,
    recovered: false,
    repairs: 0,
  },
  inputs: {},
  changes: '0123456789abcdef',
};
const merged: NewLedgerEntry = {
  type: 'done',
  step: 'a',
  key: 'k',
  result: RESULT,
  inputs: {},
  merge: 'id',
};
const END: NewLedgerEntry = { type: 'end' };

function foldAll(...entries: readonly NewLedgerEntry[]): LedgerFold {
  const fold = new LedgerFold();
  for (const entry of date(entries)) fold.accept(entry);
  return fold;
}

function second(count: number): string {
  return new Date(count * 1000).toISOString();
}

const WORKED = [PLAN, start('a'), saved, attempt('a', 'succeeded')];

describe('a report of saved changes', () => {
  it('has the state merging until the merge, also in later runs', () => {
    for (const entries of [WORKED, [...WORKED, PLAN], [...WORKED, PLAN, END]]) {
      const report = buildReport(foldAll(...entries));
      expect(report).toMatchObject({ outcome: 'stopped', counts: { merging: 1, pending: 2 } });
      expect(report.steps[0]).toMatchObject({ state: 'merging', text: undefined, reused: false });
    }
  });

  it('has the state merging if the merge was cancelled, and cancelled if a later attempt was', () => {
    const cancelled: NewLedgerEntry = { type: 'cancelled', step: 'a' };
    const stateOf = (...entries: NewLedgerEntry[]) => buildReport(foldAll(...entries)).steps[0];
    expect(stateOf(...WORKED, cancelled, END)).toMatchObject({ state: 'merging' });
    const again = [...WORKED, PLAN, start('a'), cancelled, END];
    expect(stateOf(...again)).toMatchObject({ state: 'cancelled' });
  });

  it('tells the work of an attempt from its merge', () => {
    const [step] = buildReport(foldAll(...WORKED, PLAN, merged)).steps;
    expect(step).toMatchObject({ state: 'succeeded', durationMs: 2_000, waitMs: 2_000 });
    expect(step?.attempts).toMatchObject([{ endedAt: second(3), mergedAt: second(5) }]);
    expect(foldAll(...WORKED, merged).stepState('a').saved).toBeUndefined();
  });

  it('tells the work of an attempt from its wait for a slot', () => {
    const waited = { ...attempt('a', 'succeeded'), waitedMs: 500 };
    const [step] = buildReport(foldAll(PLAN, start('a'), saved, waited, merged)).steps;
    expect(step).toMatchObject({ durationMs: 1_500, waitMs: 1_500 });
  });

  it('shows an attempt whose changes could not be merged as failed, with the end of its work', () => {
    const conflict: NewLedgerEntry = {
      type: 'attempt',
      step: 'a',
      attempt: 1,
      outcome: 'EXPECTATION_FAILED',
      message: 'conflict',
      repairs: 0,
    };
    const fold = foldAll(...WORKED, conflict);
    expect(fold.stepState('a').saved).toBeUndefined();
    expect(fold.stepState('a').attempts).toMatchObject([
      { number: 1, outcome: 'EXPECTATION_FAILED', message: 'conflict', endedAt: second(3) },
    ]);
  });

  it.each([[start('a', 2)], [merged], [{ ...attempt('a', 'RATE_LIMITED') }]])(
    'forgets saved changes after %o',
    (entry) => {
      expect(foldAll(...WORKED, entry).stepState('a').saved).toBeUndefined();
    },
  );
});

describe('a report of a batch without an end', () => {
  const entries = [PLAN, start('a'), start('b')];

  it('has running attempts if the batch is alive', () => {
    const report = buildReport(foldAll(...entries), { isAlive: true });
    expect(report).toMatchObject({ outcome: 'running', counts: { running: 2, pending: 1 } });
    expect(report.steps[0]).toMatchObject({ state: 'running', attempts: [{ outcome: 'running' }] });
  });

  it('has interrupted attempts if the batch was killed', () => {
    const report = buildReport(foldAll(...entries));
    expect(report).toMatchObject({ outcome: 'stopped', counts: { running: 0, pending: 3 } });
    expect(report.steps[0]?.attempts).toMatchObject([{ outcome: 'interrupted' }]);
  });

  it('is not running after its end, even if another process reads it at the same time', () => {
    expect(buildReport(foldAll(PLAN, END), { isAlive: true }).outcome).toBe('stopped');
  });
});
