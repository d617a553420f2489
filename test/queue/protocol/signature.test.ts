import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { assertTrusted, isTrusted, sign } from '../../../src/queue/protocol/signature.js';
import { CLOSED, errorOf, OPEN, OTHER_SECRET, SIGNED } from './support.js';

const signed = sign('job', 'j1', 'text', SIGNED);

describe('sign', () => {
  it('is an HMAC-SHA256 over queue, kind, job and text', () => {
    const wanted = createHmac('sha256', SIGNED.secret ?? '')
      .update('["q","job","j1","text"]')
      .digest('hex');
    expect(signed).toEqual({ text: 'text', signature: wanted });
  });

  it('leaves a text without a signature if there is no secret', () => {
    expect(sign('job', 'j1', 'text', OPEN)).toEqual({ text: 'text' });
  });
});

describe('isTrusted', () => {
  it('accepts what the same secret has signed', () => {
    expect(isTrusted('job', 'j1', signed, SIGNED)).toBe(true);
  });

  it.each([
    ['another text', 'job', 'j1', { ...signed, text: 'text ' }],
    ['another job', 'job', 'j2', signed],
    ['another kind', 'result', 'j1', signed],
    ['no signature', 'job', 'j1', { text: 'text' }],
    ['an empty signature', 'job', 'j1', { text: 'text', signature: '' }],
    ['half a signature', 'job', 'j1', { text: 'text', signature: signed.signature?.slice(0, 32) }],
    ['a longer signature', 'job', 'j1', { text: 'text', signature: `${signed.signature}0` }],
    ['a signature in capitals', 'job', 'j1', { text: 'text', signature: 'A'.repeat(64) }],
    ['a signature of more bytes', 'job', 'j1', { text: 'text', signature: 'ä'.repeat(64) }],
  ] as const)('refuses %s', (_, kind, jobId, text) => {
    expect(isTrusted(kind, jobId, text, SIGNED)).toBe(false);
  });

  it('refuses a job that the same secret has signed for another queue', () => {
    expect(isTrusted('job', 'j1', signed, { ...SIGNED, queue: 'q2' })).toBe(false);
  });

  it('refuses another secret', () => {
    expect(isTrusted('job', 'j1', signed, OTHER_SECRET)).toBe(false);
  });

  it('refuses an unsigned text with a secret, even if unsigned texts are accepted', () => {
    const trust = { ...SIGNED, acceptsUnsigned: true };
    expect(isTrusted('job', 'j1', { text: 'text' }, trust)).toBe(false);
    expect(isTrusted('job', 'j1', signed, trust)).toBe(true);
  });

  it('decides without a secret by whether unsigned texts are accepted', () => {
    expect(isTrusted('job', 'j1', { text: 'text' }, OPEN)).toBe(true);
    expect(isTrusted('job', 'j1', { text: 'text' }, CLOSED)).toBe(false);
    expect(isTrusted('job', 'j1', signed, CLOSED)).toBe(false);
  });
});

describe('assertTrusted', () => {
  it('accepts in silence', () => {
    expect(assertTrusted('job', 'j1', signed, SIGNED)).toBe(undefined);
  });

  it('says that a job is not signed, and which side lacks the secret', () => {
    const error = errorOf(() => assertTrusted('job', 'j1', { text: 'text' }, SIGNED));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toBe('The job j1 is not signed');
    expect(error.hint).toContain('Give the caller the same `secret`');
  });

  it('names the worker if a result has the signature of another secret', () => {
    const result = sign('result', 'j1', 'text', OTHER_SECRET);
    const error = errorOf(() => assertTrusted('result', 'j1', result, SIGNED));
    expect(error.message).toBe(
      'The result of job j1 has a signature of another secret or for another queue',
    );
    expect(error.hint).toContain('Give the worker the same `secret`');
  });

  it('names both ways out if this side has no secret, and no secret', () => {
    const error = errorOf(() => assertTrusted('job', 'j1', { text: 'text' }, CLOSED));
    expect(error.hint).toMatch(/GEMINI_CLI_PROVIDER_QUEUE_SECRET.*allowUnsigned/);
    const other = errorOf(() => assertTrusted('job', 'j1', signed, OTHER_SECRET));
    expect(`${other.message}${other.hint}`).not.toContain(OTHER_SECRET.secret);
    expect(`${other.message}${other.hint}`).not.toContain(signed.signature);
  });
});
