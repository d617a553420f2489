import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { buildReport } from '../../../src/batch/ledger/build-report.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import type { NewLedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { manifestFile } from '../run/pieces.js';
import { attempt, date, done, PLAN, RECORDED, RESULT, start } from './record-ledger.js';

function fold(entries: readonly NewLedgerEntry[]): LedgerFold {
  const folded = new LedgerFold();
  for (const entry of date(entries)) folded.accept(entry);
  folded.closeOpenAttempts();
  return folded;
}
const report = (...entries: NewLedgerEntry[]) => buildReport(fold(entries));
const error = new ProviderError({ code: 'TOOL_FAILED', message: 'no' }).toJSON();
const END: NewLedgerEntry = { type: 'end' };
const failed: NewLedgerEntry = { type: 'failed', step: 'a', error };

describe('the report of a batch', () => {
  it('shows a killed attempt as interrupted', () => {
    const { steps, outcome } = report(PLAN, start('a'));
    expect(outcome).toBe('stopped');
    expect(steps[0]).toMatchObject({ state: 'pending', prompt: 'do a' });
    expect(steps[0]?.attempts).toMatchObject([{ number: 1, outcome: 'interrupted' }]);
    expect(steps[0]?.attempts[0]?.endedAt).toBe(undefined);
  });

  it('names the generation of each attempt, including killed ones', () => {
    const named = (attempt: number, generationId: string): NewLedgerEntry => {
      return { type: 'generation', step: 'a', attempt, generationId };
    };
    const { steps } = report(
      PLAN,
      start('a'),
      named(1, 'g1'),
      PLAN,
      start('a', 2),
      named(2, 'g2'),
      attempt('a', 'RATE_LIMITED', { attempt: 2 }),
      start('a', 3),
      attempt('a', 'succeeded', { attempt: 3, generationId: 'g3' }),
      { type: 'done', step: 'a', key: 'k', result: { ...RESULT, generationId: 'g3' }, inputs: {} },
      END,
    );
    expect(steps[0]?.attempts).toMatchObject([
      { number: 1, outcome: 'interrupted', generationId: 'g1' },
      { number: 2, outcome: 'RATE_LIMITED', generationId: 'g2' },
      { number: 3, outcome: 'succeeded', generationId: 'g3' },
    ]);
    expect(steps[0]?.generationId).toBe('g3');
    const broken = { ...error, generationId: 'g4' };
    expect(report(PLAN, { type: 'failed', step: 'a', error: broken }).steps[0]?.generationId).toBe(
      'g4',
    );
  });

  it('counts the tokens of all attempts, but not the time between runs', () => {
    const built = report(...RECORDED);
    expect(built.durationMs).toBe(14_000);
    expect(built.usage).toMatchObject({ total: 15, models: { m: { total: 15 } }, toolCalls: 3 });
    expect(built.steps[1]?.attempts.map(({ outcome }) => outcome)).toEqual([
      'interrupted',
      'RATE_LIMITED',
      'succeeded',
    ]);
    expect(built.steps.map(({ reused }) => reused)).toEqual([true, false, false]);
    expect(built.files).toMatchObject([{ path: 'x', steps: ['a', 'b'], conflicts: ['a', 'b'] }]);
  });

  it('says which files are sensitive', () => {
    const files = [manifestFile('package.json', { sensitive: 'runs code' }), manifestFile('x')];
    const result = { ...RESULT, files };
    const built = report(PLAN, { type: 'done', step: 'a', key: 'k', result, inputs: {} });
    expect(built.files.map(({ path, sensitive }) => [path, sensitive])).toEqual([
      ['package.json', 'runs code'],
      ['x', undefined],
    ]);
  });

  it('names the steps that wrote a file, not the steps during which it changed', () => {
    const seen = { ...RESULT, files: [manifestFile('x', { tools: ['unknown'] })] };
    const watched: NewLedgerEntry = { type: 'done', step: 'a', key: 'k', result: seen, inputs: {} };
    expect(report(PLAN, watched, done('b')).files).toMatchObject([{ path: 'x', steps: ['b'] }]);
    expect(report(PLAN, watched).files).toMatchObject([{ path: 'x', steps: ['a'] }]);
  });

  it('shows failed, skipped and cancelled steps as pending in the next run', () => {
    const built = report(PLAN, failed, { type: 'skipped', step: 'b', because: 'a' }, PLAN);
    expect(built.counts).toMatchObject({ pending: 3, failed: 0, skipped: 0 });
  });

  it('does not show an earlier answer of a step that failed or was skipped in this run', () => {
    const old = [PLAN, start('a'), attempt('a', 'succeeded'), done('a'), PLAN];
    const built = report(...old, { type: 'skipped', step: 'a', because: 'b' });
    expect(built.steps[0]).toMatchObject({ state: 'skipped', reused: false, text: undefined });
    expect(report(...old, failed).steps[0]).toMatchObject({ state: 'failed', reused: false });
  });

  it('is a success if every step succeeded, even if the batch was asked to stop', () => {
    const stop: NewLedgerEntry = { type: 'stop', stop: { reason: 'interrupted', message: 's' } };
    expect(report(PLAN, stop, done('a'), done('b'), done('c'), END).outcome).toBe('succeeded');
    expect(report(PLAN, done('a'), done('b'), END).outcome).toBe('stopped');
    expect(report(PLAN, failed, done('b'), done('c'), END).outcome).toBe('failed');
  });

  it('is not a success until the batch has ended: a killed batch may not have checked all steps', () => {
    const all = [PLAN, done('a'), done('b'), done('c'), END];
    expect(report(...all, PLAN).outcome).toBe('stopped');
    expect(report(...all, PLAN, END).outcome).toBe('succeeded');
  });

  it('shows a step whose result no longer matches as pending, until the next run', () => {
    const open: NewLedgerEntry = { type: 'open', step: 'a' };
    const all = [PLAN, done('a'), done('b'), done('c'), END, PLAN];
    const { steps, outcome } = report(...all, open, END);
    expect(steps[0]).toMatchObject({ state: 'pending', reused: false, text: undefined });
    expect(outcome).toBe('stopped');
    expect(report(...all, open, END, PLAN, END).outcome).toBe('succeeded');
  });

  it('keeps warnings of two writers of a file while both results are kept', () => {
    const warning = { code: 'SAME_FILE' as const, message: 'x', steps: ['a', 'b'], paths: ['x'] };
    const left = { code: 'LEFTOVERS_REMOVED' as const, message: 'y', steps: [] };
    const all = [PLAN, done('a'), done('b'), done('c')];
    const warned: NewLedgerEntry[] = [warning, left].map((each) => ({
      type: 'warning',
      warning: each,
    }));
    expect(report(...all, ...warned, END).warnings).toEqual([warning, left]);
    expect(report(...all, ...warned, END, PLAN, END).warnings).toEqual([warning]);
    expect(report(...all, ...warned, END, PLAN, start('b', 2), END).warnings).toEqual([]);
  });

  it('has the start and the end of each run', () => {
    const second = (count: number) => new Date(count * 1000).toISOString();
    expect(report(PLAN, start('a'), PLAN, done('a'), END).runs).toEqual([
      { startedAt: second(0), endedAt: second(1) },
      { startedAt: second(2), endedAt: second(4) },
    ]);
  });

  it('treats an attempt without a result as one that may have left files', () => {
    expect(fold([PLAN, start('a')]).stepState('a').hasInterrupted).toBe(true);
    const between = [PLAN, start('a'), attempt('a', 'succeeded')];
    expect(fold(between).stepState('a').hasInterrupted).toBe(true);
    expect(fold([...between, done('a')]).stepState('a').hasInterrupted).toBe(false);
  });

  it('shows the files that failed attempts left', () => {
    const left = { ...attempt('a', 'RATE_LIMITED'), files: [manifestFile('half')] };
    expect(report(PLAN, start('a'), left, failed).files).toMatchObject([{ path: 'half' }]);
    const built = report(PLAN, start('a'), left, start('a', 2), done('a'));
    expect(built.steps[0]?.files).toEqual(RESULT.files);
  });

  it('is empty for an empty ledger', () => {
    expect(report()).toMatchObject({ name: '', steps: [], files: [], durationMs: 0 });
  });
});
