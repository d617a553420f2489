import { expect, it } from 'vitest';
import { createNeedsShortener } from '../../../src/batch/run/shorten-needs.js';
import { plannedStep } from './pieces.js';

const matrix = (planId: string, names: readonly string[]) => {
  return names.map((name, index) => ({ ...plannedStep(index), id: `${planId}[${name}]`, planId }));
};
const shorten = createNeedsShortener([
  ...matrix('convert', ['a', 'b', 'c']),
  ...matrix('one', ['x']),
  plannedStep(9),
]);

it.each([
  [
    ['convert[a]', 'convert[b]', 'convert[c]', 's9'],
    ['convert', 's9'],
  ],
  [
    ['s9', 'convert[c]', 'convert[a]', 'convert[b]', 'convert[a]'],
    ['s9', 'convert'],
  ],
  [
    ['convert[a]', 'convert[c]'],
    ['convert[a]', 'convert[c]'],
  ],
  [
    ['one[x]', 's9'],
    ['one', 's9'],
  ],
  [[], []],
])('the needs %j are shortened to %j', (needs, short) => {
  expect(shorten(needs)).toEqual(short);
  expect(shorten(needs)).toBe(shorten(needs));
});
