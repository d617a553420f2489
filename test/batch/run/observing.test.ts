import { expect, it } from 'vitest';
import { createObserving } from '../../../src/batch/run/observing.js';
import { fakeSteps } from '../../engines/ai-sdk/fake-steps.js';

const fail = (): never => {
  throw new Error('broken observer');
};

it('goes on without an observer, and with one that throws', () => {
  const provider = fakeSteps([]);
  const broken = { onEvent: fail, contextOf: fail, wrap: fail, onEnd: fail };
  for (const observing of [createObserving(undefined), createObserving(broken)]) {
    observing.accept({ type: 'concurrency', limit: 1 });
    expect(observing.contextOf('one')).toEqual({});
    expect(observing.wrap(provider)).toBe(provider);
    observing.end();
  }
});

it('tells the end once', () => {
  const ends: unknown[] = [];
  const observing = createObserving({ onEvent: () => {}, onEnd: (error) => ends.push(error) });
  observing.end('first');
  observing.end();
  expect(ends).toEqual(['first']);
});
