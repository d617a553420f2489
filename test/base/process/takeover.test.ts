import { expect, it } from 'vitest';
import { leavingSteps, Takeover, takeoverOf } from '../../../src/base/process/takeover.js';

it('an error that leaves the steps to another run aborts them by a takeover, and no other error does', () => {
  const error = new Error('overtaken');
  expect(leavingSteps(error)).toBe(error);
  expect(Takeover.isInstance(takeoverOf(error))).toBe(true);
  for (const other of [new Error('x', { cause: error }), 'text', undefined])
    expect(takeoverOf(other)).toBeUndefined();
  expect(Takeover.isInstance(new Error('x'))).toBe(false);
});
