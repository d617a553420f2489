import { expect, it } from 'vitest';
import { addressOf, sessionIdOfAddress } from '../../../src/remote/page/model/session-address.js';

it('an address names a session, whatever characters its id has', () => {
  expect(sessionIdOfAddress(addressOf({ id: 'past-a/b %#' }))).toBe('past-a/b %#');
  expect(addressOf({ id: 'past-1' })).toBe('#/session/past-1');
});

it('any other address names none', () => {
  expect(['', '#/', '#/new', '#/session/%E0%A4%A'].map(sessionIdOfAddress)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});
