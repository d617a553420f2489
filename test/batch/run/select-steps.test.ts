import { describe, expect, it } from 'vitest';
import type { StepSelection } from '../../../src/api/batch-options.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import type { NewLedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { describeAdded, matchSteps, selectSteps } from '../../../src/batch/run/select-steps.js';
import { attempt, date, done, start } from '../ledger/record-ledger.js';
import { plannedStep } from './pieces.js';

const named = (index: number, id: string, needs: readonly string[] = [], planId = id) => {
  return { ...plannedStep(index), id, planId, needs };
};

/** Types, two conversions that need it, a test of each conversion, and documents that need nothing. */
const STEPS = [
  named(0, 'types'),
  named(1, 'convert[src/a.js]', ['types'], 'convert'),
  named(2, 'convert[src/b.js]', ['types'], 'convert'),
  named(3, 'test/a', ['convert[src/a.js]']),
  named(4, 'test/b', ['convert[src/b.js]']),
  named(5, 'docs'),
];
const error = new ProviderError({ code: 'TOOL_FAILED', message: 'no' }).toJSON();

function select(selection: StepSelection, entries: readonly NewLedgerEntry[] = []) {
  const fold = new LedgerFold();
  for (const entry of date(entries)) fold.accept(entry);
  fold.closeOpenAttempts();
  const { selected, ...rest } = selectSteps(STEPS, selection, (id) => fold.stepState(id));
  return { selected: STEPS.map(({ id }) => id).filter((id) => selected.has(id)), ...rest };
}

const ran = (id: string): NewLedgerEntry[] => [start(id), attempt(id, 'succeeded'), done(id)];

describe('the selection of steps', () => {
  it('is the whole plan without patterns', () => {
    expect(select({})).toEqual({ selected: STEPS.map(({ id }) => id), leftOut: [], added: [] });
  });

  it('finds steps by id, by the id of a matrix, and by glob', () => {
    expect(matchSteps(STEPS, 'convert[src/a.js]')).toEqual(['convert[src/a.js]']);
    expect(matchSteps(STEPS, 'convert')).toHaveLength(2);
    expect(matchSteps(STEPS, 'convert[*/b.js]')).toEqual(['convert[src/b.js]']);
    expect(matchSteps(STEPS, 'test/*')).toEqual(['test/a', 'test/b']);
    expect(matchSteps(STEPS, 'con*')).toHaveLength(2);
    expect(matchSteps(STEPS, '+(a|b)')).toEqual([]);
  });

  it('runs with `only` the named steps, and needed steps that have no result', () => {
    const asked = select({ only: 'test/a' });
    expect(asked.selected).toEqual(['types', 'convert[src/a.js]', 'test/a']);
    expect(asked.added).toEqual(['types', 'convert[src/a.js]']);
    const later = select({ only: ['test/a'] }, [...ran('types'), ...ran('convert[src/a.js]')]);
    expect(later).toMatchObject({ selected: ['test/a'], added: [] });
    expect(later.leftOut).toContain('types');
  });

  it('runs with `from` the named steps and everything that needs them', () => {
    const { selected, added } = select({ from: 'convert[src/b.js]' }, ran('types'));
    expect(selected).toEqual(['convert[src/b.js]', 'test/b']);
    expect(added).toEqual([]);
    expect(select({ from: 'types' }).selected).toHaveLength(5);
    expect(select({ from: 'types', only: 'docs' }).selected).toHaveLength(6);
  });

  it('leaves out with `skip` the named steps, and steps that need one of them without a result', () => {
    expect(select({ skip: 'convert' }).selected).toEqual(['types', 'docs']);
    const { selected } = select({ skip: 'convert' }, ran('convert[src/a.js]'));
    expect(selected).toEqual(['types', 'test/a', 'docs']);
    expect(select({ only: ['docs', 'test/a'], skip: 'types' }).selected).toEqual(['docs']);
  });

  it('runs with `retryFailed` what failed, was cancelled, skipped or interrupted, and nothing else', () => {
    const entries: NewLedgerEntry[] = [
      ...ran('types'),
      start('convert[src/a.js]'),
      attempt('convert[src/a.js]', 'RATE_LIMITED'),
      { type: 'failed', step: 'convert[src/a.js]', error },
      { type: 'skipped', step: 'test/a', because: 'convert[src/a.js]' },
      start('convert[src/b.js]'),
    ];
    const { selected, leftOut } = select({ retryFailed: true }, entries);
    expect(selected).toEqual(['convert[src/a.js]', 'convert[src/b.js]', 'test/a']);
    expect(leftOut).toEqual(['types', 'test/b', 'docs']);
    expect(select({ retryFailed: true, only: 'test/a' }, entries).selected).toEqual([
      'convert[src/a.js]',
      'test/a',
    ]);
  });

  it('is empty if an earlier run has left nothing to retry, and an error without an earlier run', () => {
    expect(select({ retryFailed: true }, ran('types')).selected).toEqual([]);
    expect(() => select({ retryFailed: true })).toThrow(/needs an earlier run/);
  });

  it('refuses patterns that name no step, all at once, and suggests a name', () => {
    expect(() => select({ only: ['typs', 'docs'], skip: 'x' })).toThrow(
      /only = "typs": names no step of the plan\. Did you mean "types"\?; skip = "x"/,
    );
  });

  it.each<StepSelection>([
    { skip: ['*', '**/*'] },
    { only: 'docs', skip: 'docs' },
    { from: 'test/a', skip: 'types' },
  ])('refuses %j, which leaves no step', (selection) => {
    expect(() => select(selection)).toThrow(/skip = .*leaves no step/);
  });

  it('names added steps, at most five of them', () => {
    const added = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const [warning] = describeAdded({ selected: new Set(), leftOut: [], added });
    expect(warning).toMatchObject({ code: 'NEEDS_ADDED', steps: added });
    expect(warning?.message).toMatch(/: a, b, c, d, e, 2 more$/);
    expect(describeAdded({ selected: new Set(), leftOut: [], added: [] })).toEqual([]);
  });
});
