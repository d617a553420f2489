import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { followSignals } from '../../../src/remote/desk/follow-signals.js';

it('a signal follows the first of several others, with its reason', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal } = followSignals([one.signal, two.signal]);
  expect(signal.aborted).toBe(false);
  two.abort('desk');
  one.abort('late');
  expect([signal.aborted, signal.reason]).toEqual([true, 'desk']);
  expect(followSignals([one.signal]).signal.reason).toBe('late');
});

it('nothing stays with a signal when the following has ended', () => {
  const session = new AbortController();
  const followed = [1, 2, 3].map(() => followSignals([session.signal]));
  expect(getEventListeners(session.signal, 'abort')).toHaveLength(1);
  for (const { stop } of followed) stop();
  expect(getEventListeners(session.signal, 'abort')).toHaveLength(0);
  session.abort();
  expect(followed.map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
});
