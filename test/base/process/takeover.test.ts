import { expect, it } from 'vitest';
import { Takeover, takeoverOf } from '../../../src/base/process/takeover.js';

it('a takeover is found in the error that it has led to, and nowhere else', () => {
  const takeover = new Takeover();
  expect(takeoverOf(new Error('overtaken', { cause: takeover }))).toBe(takeover);
  for (const other of [takeover, new Error('x', { cause: new Error('y') }), 'text', undefined])
    expect(takeoverOf(other)).toBeUndefined();
  expect(Takeover.isInstance(new Error('x'))).toBe(false);
});
