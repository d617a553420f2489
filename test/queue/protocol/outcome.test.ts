import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/base/errors/codes.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { packOutcome, reviveError, unpackOutcome } from '../../../src/queue/protocol/outcome.js';
import { sign } from '../../../src/queue/protocol/signature.js';
import { PROTOCOL } from '../../../src/queue/protocol/version.js';
import { errorOf, OPEN, OTHER_SECRET, SIGNED } from './support.js';

const OUTCOME = {
  job: {
    jobId: 'j1',
    worker: 'w',
    host: 'h',
    attempt: 2,
    waitMs: 5,
    lost: [{ attempt: 1, worker: 'v', host: 'g' }],
  },
  content: { text: '{"result":{"text":"ä"}}' },
  changes: { pack: 'p' },
};

describe('unpackOutcome', () => {
  it.each(['result', 'error'] as const)('gives back a packed %s, as object and as text', (kind) => {
    const packed = packOutcome(kind, OUTCOME, SIGNED);
    const wanted = { ...OUTCOME, protocol: PROTOCOL };
    expect(unpackOutcome(kind, 'j1', packed, SIGNED)).toEqual(wanted);
    expect(unpackOutcome(kind, 'j1', JSON.stringify(packed), SIGNED)).toEqual(wanted);
  });

  it('refuses a result whose text was changed (claim: queue-signed)', () => {
    const { text, signature } = packOutcome('result', OUTCOME, SIGNED);
    const changed = { text: text.replace('"p"', '"q"'), signature };
    const error = errorOf(() => unpackOutcome('result', 'j1', changed, SIGNED));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toContain('The result of job j1 has a signature of another secret');
  });

  it.each([
    ['an error as a result', packOutcome('error', OUTCOME, SIGNED)],
    ['a result without a signature', packOutcome('result', OUTCOME, OPEN)],
    ['a result of another secret', packOutcome('result', OUTCOME, OTHER_SECRET)],
    [
      'a result of another job',
      packOutcome('result', { ...OUTCOME, job: { ...OUTCOME.job, jobId: 'j2' } }, SIGNED),
    ],
  ])('refuses %s', (_, packed) => {
    expect(errorOf(() => unpackOutcome('result', 'j1', packed, SIGNED)).code).toBe(
      'INVALID_CONFIG',
    );
  });

  it('takes no unsigned result of another job', () => {
    const packed = packOutcome('result', OUTCOME, OPEN);
    expect(unpackOutcome('result', 'j2', packed, OPEN)).toBe(undefined);
    expect(unpackOutcome('result', 'j1', packed, OPEN)?.job.jobId).toBe('j1');
  });

  it.each([undefined, null, 7, '', 'job stalled more than allowable limit', '{', '"a"', {}])(
    'is undefined for %j, which BullMQ itself has written',
    (value) => {
      expect(unpackOutcome('error', 'j1', value, SIGNED)).toBe(undefined);
    },
  );

  it('is undefined for a signed text that is no outcome', () => {
    for (const text of ['{', '[]', JSON.stringify({ protocol: PROTOCOL, ...OUTCOME, job: {} })])
      expect(unpackOutcome('result', 'j1', sign('result', 'j1', text, SIGNED), SIGNED)).toBe(
        undefined,
      );
  });

  it('names the version of a worker that speaks a newer major one', () => {
    const text = JSON.stringify({ protocol: { major: 2, minor: 0 } });
    const packed = sign('result', 'j1', text, SIGNED);
    const error = errorOf(() => unpackOutcome('result', 'j1', packed, SIGNED));
    expect(error.message).toContain('The worker speaks version 2.0');
  });
});

describe('reviveError', () => {
  it('gives back the facts of an error after JSON', () => {
    const error = new ProviderError({
      code: 'RATE_LIMITED',
      message: 'm',
      hint: 'h',
      retryAfterMs: 1_500,
      httpStatus: 429,
      stderrTail: 's',
    });
    const revived = reviveError(JSON.parse(JSON.stringify(error)));
    expect(ProviderError.isInstance(revived)).toBe(true);
    expect(revived.toJSON()).toEqual(error.toJSON());
    expect(revived.retryAfterMs).toBe(1_500);
    expect(revived.retryable).toBe(true);
  });

  it.each(Object.keys(ERROR_CODES))('knows the code %s', (code) => {
    expect(reviveError({ code, message: 'm', hint: 'h' })).toMatchObject({ code, message: 'm' });
  });

  it.each([
    undefined,
    null,
    'text',
    {},
    { code: 'NEW_CODE', message: 'm', hint: 'h' },
    { code: 'toString', message: 'm', hint: 'h' },
    { code: 'AUTH', message: 1, hint: 'h' },
    { code: 'AUTH', message: 'm' },
  ])('is PROTOCOL for %j', (data) => {
    const error = reviveError(data);
    expect(error.code).toBe('PROTOCOL');
    expect(error.hint).toContain('the same version');
  });
});
