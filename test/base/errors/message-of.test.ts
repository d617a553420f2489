import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../src/base/errors/message-of.js';

describe('the message of a thrown value', () => {
  it.each([
    ['an error', new TypeError('no number'), 'no number'],
    ['a text', 'stop', 'stop'],
    ['nothing', undefined, 'undefined'],
    ['a number', 7, '7'],
  ])('is a text for %s', (_what, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
