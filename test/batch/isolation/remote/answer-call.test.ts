import { expect, it } from 'vitest';
import { ProviderError } from '../../../../src/base/errors/provider-error.js';
import { fromAnswer, toAnswer } from '../../../../src/batch/isolation/remote/answer-call.js';

/** Sends an end through the form that another process gets. */
async function travel(ending: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [settled] = await Promise.allSettled([ending]);
  return fromAnswer(structuredClone(toAnswer(settled)));
}

it('a value arrives as it is, also one that is no value', async () => {
  const bytes = new Uint8Array([0, 255]);
  expect(await travel(Promise.resolve({ bytes }))).toEqual({
    status: 'fulfilled',
    value: { bytes },
  });
  expect(await travel(Promise.resolve(undefined))).toEqual({
    status: 'fulfilled',
    value: undefined,
  });
});

it('an error of this package keeps its code and its hint', async () => {
  const error = new ProviderError({ code: 'INVALID_INPUT', message: 'no folder', hint: 'make it' });
  const end = await travel(Promise.reject(error));
  if (end.status === 'fulfilled') expect.unreachable('the call has failed');
  expect(end.reason).toBeInstanceOf(ProviderError);
  expect(end.reason).toMatchObject({
    code: 'INVALID_INPUT',
    message: 'no folder',
    hint: 'make it',
  });
});

it.each([new TypeError('odd'), 'odd'])(
  'of another failure, %j, the message arrives',
  async (why) => {
    const end = await travel(Promise.reject(why));
    if (end.status === 'fulfilled') expect.unreachable('the call has failed');
    expect(end.reason).toBeInstanceOf(Error);
    expect(ProviderError.isInstance(end.reason)).toBe(false);
    expect(end.reason).toMatchObject({ message: 'odd' });
  },
);
