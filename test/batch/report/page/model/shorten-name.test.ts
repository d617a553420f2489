import { expect, it } from 'vitest';
import { shortenName } from '../../../../../src/batch/report/page/model/shorten-name.js';

it('shortens a name in its middle, and leaves no half of a character', () => {
  expect(shortenName('convert[src/a.js]', 17)).toBe('convert[src/a.js]');
  expect(shortenName('convert[src/a.js]', 10)).toBe('con…/a.js]');
  expect(shortenName('convert[src/a.js]', 4)).toBe('');
  expect(shortenName('doc[🚀🚀🚀]', 8)).toBe('doc[🚀🚀🚀]');
  for (let room = 5; room < 20; room++) {
    expect(shortenName('🚀'.repeat(20), room)).toMatch(/^(🚀)+…(🚀)+$/u);
  }
});
