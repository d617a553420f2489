import { expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { isCancelled, mayBeCancelled } from '../../../src/batch/run/is-cancelled.js';

const running = new AbortController().signal;
const killed = new ProviderError({ code: 'INCOMPLETE', message: 'x', signal: 'SIGTERM' });
const cancelled = new ProviderError({ code: 'CANCELLED', message: 'x' });

/** Error of a step whose `expects.command` has failed, or was ended by a signal. */
function unmet(signal: string | undefined): ProviderError {
  const missing = [{ kind: 'command' as const, message: '`npm test` exited', signal }];
  return new ProviderError({ code: 'EXPECTATION_FAILED', message: 'x', missing });
}

it('a helper that dies of a signal while the batch is stopping is cancelled', async () => {
  expect(await isCancelled(killed, running, () => true)).toBe(true);
  expect(await isCancelled(killed, running, () => false)).toBe(false);
});

it('the batch may learn of its stop after the helper has died', async () => {
  let isStopping = false;
  setTimeout(() => {
    isStopping = true;
  }, 20);
  expect(await isCancelled(killed, running, () => isStopping)).toBe(true);
});

it('CANCELLED counts only after a cancel of the batch', async () => {
  expect(await isCancelled(cancelled, running, () => true)).toBe(false);
  expect(await isCancelled(cancelled, AbortSignal.abort(), () => true)).toBe(true);
});

it.each([
  [cancelled, true],
  [killed, true],
  [new ProviderError({ code: 'UNKNOWN', message: 'x', exitCode: 143 }), true],
  [new ProviderError({ code: 'UNKNOWN', message: 'x', exitCode: 1 }), false],
  [unmet('SIGINT'), true],
  [unmet(undefined), false],
])('%s may be cancelled: %s', (error, may) => {
  expect(mayBeCancelled(error)).toBe(may);
});
