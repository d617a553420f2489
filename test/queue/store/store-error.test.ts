import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { isStoreAway, toStoreError } from '../../../src/queue/store/store-error.js';
import { parseStoreUrl } from '../../../src/queue/store/store-url.js';

const ADDRESS = parseStoreUrl('postgres://u:correct-horse@h:1/db', {});

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

describe('toStoreError', () => {
  it.each([
    ['WRONGPASS invalid username-password pair', undefined, 'INVALID_CONFIG', 'the credentials'],
    ['NOAUTH Authentication required.', undefined, 'INVALID_CONFIG', 'the credentials'],
    ['password authentication failed', '28P01', 'INVALID_CONFIG', 'the credentials'],
    ['database "x" does not exist', '3D000', 'INVALID_CONFIG', 'no such database'],
    ['permission denied', '42501', 'INVALID_CONFIG', 'does not permit'],
    ["READONLY You can't write", undefined, 'API_UNAVAILABLE', 'is read-only'],
    ['OOM command not allowed', undefined, 'API_UNAVAILABLE', 'is full'],
    ['could not extend file', '53100', 'API_UNAVAILABLE', 'is full'],
    ['sorry, too many clients already', '53300', 'API_UNAVAILABLE', 'no connection left'],
    ['connect', 'ECONNREFUSED', 'NETWORK', 'cannot be reached'],
    ['getaddrinfo', 'ENOTFOUND', 'NETWORK', 'cannot be reached'],
    ['Connection terminated unexpectedly', undefined, 'NETWORK', 'cannot be reached'],
    ['something else', undefined, 'UNKNOWN', 'reports an error'],
  ])('maps %j with the code %s to %s', (message, code, wanted, problem) => {
    const error = toStoreError(failure(message, code), ADDRESS);
    expect(error.code).toBe(wanted);
    expect(error.message).toContain(`The store postgres://h:1/db`);
    expect(error.message).toContain(problem);
    expect(error.message).toContain(message);
  });

  it('removes the password from the text of a driver (claim: queue-credentials)', () => {
    const error = toStoreError(failure(`bad ${ADDRESS.url}, correct-horse`), ADDRESS);
    expect(JSON.stringify(error) + error.stack).not.toContain('correct-horse');
    expect(error.message).toContain('[redacted]');
    expect(error.cause).toBe(undefined);
  });

  it('leaves an error of this package as it is', () => {
    const error = new ProviderError({ code: 'INCOMPLETE', message: 'm' });
    expect(toStoreError(error, ADDRESS)).toBe(error);
  });
});

describe('isStoreAway', () => {
  it('tells a cut from a refusal', () => {
    expect(isStoreAway(failure('x', 'ECONNRESET'))).toBe(true);
    expect(isStoreAway(failure('terminating connection', '57P01'))).toBe(true);
    expect(isStoreAway(failure('LOADING Redis is loading'))).toBe(true);
    expect(isStoreAway(failure('x', '28P01'))).toBe(false);
    expect(isStoreAway(undefined)).toBe(false);
  });
});
