import { describe, expect, it } from 'vitest';
import {
  assertProtocol,
  assertProtocolOf,
  isSameMajor,
  PROTOCOL,
  showProtocol,
} from '../../../src/queue/protocol/version.js';
import { errorOf } from './support.js';

describe('assertProtocol', () => {
  it.each([0, PROTOCOL.minor, PROTOCOL.minor + 9])('understands the minor version %i', (minor) => {
    expect(assertProtocol({ major: PROTOCOL.major, minor }, 'caller')).toBe(undefined);
  });

  it.each([PROTOCOL.major - 1, PROTOCOL.major + 1])('refuses the major version %i', (major) => {
    const error = errorOf(() => assertProtocol({ major, minor: 4 }, 'caller'));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toBe(
      `The caller speaks version ${major}.4 of the queue's protocol, this worker version ${showProtocol(PROTOCOL)}`,
    );
  });

  it('names the side that speaks', () => {
    const error = errorOf(() => assertProtocol({ major: 9, minor: 0 }, 'worker'));
    expect(error.message).toMatch(/^The worker speaks version 9\.0 .* this caller version/);
    expect(error.hint).toContain('the same version of gemini-cli-provider');
  });
});

describe('assertProtocolOf', () => {
  it('refuses content of another major version, whatever its form', () => {
    const error = errorOf(() => assertProtocolOf({ protocol: { major: 9, minor: 0 } }, 'caller'));
    expect(error.code).toBe('INVALID_CONFIG');
  });

  it.each([undefined, 7, {}, { protocol: '9' }, { protocol: PROTOCOL, more: 1 }])(
    'leaves %j to the check of the form',
    (content) => {
      expect(assertProtocolOf(content, 'worker')).toBe(undefined);
    },
  );
});

it.each([
  ['1.0', true],
  ['1.7', true],
  ['2.0', false],
  ['10.0', false],
  ['', false],
])('isSameMajor: %j is %s', (shown, isSame) => {
  expect(isSameMajor(shown)).toBe(isSame);
});
