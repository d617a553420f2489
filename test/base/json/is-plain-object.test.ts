import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isPlainObject } from '../../../src/base/json/is-plain-object.js';

class Options {
  readonly model = 'x';
}

describe('a plain object', () => {
  it.each([
    ['a literal', {}],
    ['an object without a prototype', Object.create(null)],
    ['an object of another realm', runInNewContext('({ model: 1 })')],
    ['a frozen object', Object.freeze({ model: 'x' })],
  ])('is %s', (_what, value) => {
    expect(isPlainObject(value)).toBe(true);
  });

  it.each([
    ['a Map', new Map([['model', 'x']])],
    ['a Date', new Date()],
    ['an instance', new Options()],
    ['a list', []],
    ['a list of another realm', runInNewContext('[]')],
    ['null', null],
    ['undefined', undefined],
    ['a text', 'x'],
    ['a function', () => {}],
    ['a boxed number', Object(5)],
    ['a Map of another realm', runInNewContext('new Map()')],
  ])('is not %s', (_what, value) => {
    expect(isPlainObject(value)).toBe(false);
  });
});
