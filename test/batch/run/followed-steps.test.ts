import { beforeEach, describe, expect, it } from 'vitest';
import type { LedgerStep } from '../../../src/batch/ledger/ledger-entry.js';
import { FollowedSteps } from '../../../src/batch/run/followed-steps.js';

const step = (id: string, planId = id): LedgerStep => ({
  id,
  planId,
  needs: [],
  folder: '',
  isolation: 'shared',
});

describe('FollowedSteps', () => {
  let steps: FollowedSteps;
  beforeEach(() => {
    steps = new FollowedSteps();
    steps.reset([step('a'), step('m[1]', 'm'), step('m[2]', 'm')]);
  });
  const unfinished = () => [...steps.unfinished()].map(({ id }) => id);

  it('knows which steps are over', () => {
    steps.finish('m[1]');
    steps.finish('m[1]');
    steps.finish('unknown');
    expect(unfinished()).toEqual(['a', 'm[2]']);
    expect(steps.isFinished('m[1]')).toBe(true);
    expect(steps.isFinished('unknown')).toBe(false);
    expect(steps.find('m[2]')?.planId).toBe('m');
  });

  it('settles a matrix with its last step, and a need that has no step', () => {
    steps.finish('m[1]');
    expect(steps.isSettled('m[1]')).toBe(true);
    expect(steps.isSettled('m')).toBe(false);
    steps.finish('m[2]');
    expect(steps.isSettled('m')).toBe(true);
    expect(steps.isSettled('unknown')).toBe(true);
    expect(steps.isSettled('a')).toBe(false);
  });

  it('opens a step again that runs again, and all steps with a new run', () => {
    steps.finish('m[1]');
    steps.finish('m[2]');
    steps.reopen('m[2]');
    steps.reopen('unknown');
    expect(steps.isSettled('m')).toBe(false);
    expect(unfinished()).toEqual(['a', 'm[2]']);
    steps.reset([step('b')]);
    expect(unfinished()).toEqual(['b']);
    expect(steps.find('a')).toBeUndefined();
  });

  it('stays fast in a large batch', () => {
    const count = 100_000;
    steps.reset(Array.from({ length: count }, (_, n) => step(`s[${n}]`, 's')));
    for (let n = 0; n < count; n++) {
      if (steps.isSettled('s')) throw new Error(`The matrix is settled before ${n}`);
      steps.finish(`s[${n}]`);
    }
    expect(steps.isSettled('s')).toBe(true);
  });
});
