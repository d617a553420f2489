import { expect, it } from 'vitest';
import { createHeap } from '../../../src/batch/plan/heap.js';
import { createRandom } from './plans.js';

it('a heap returns the smallest number first, with pushes and pops in any order', () => {
  const random = createRandom(5);
  const heap = createHeap();
  let held: number[] = [];
  for (let round = 0; round < 3000; round++) {
    if (random(3) > 0) {
      const value = random(500);
      heap.push(value);
      held.push(value);
    } else {
      held = held.sort((a, b) => a - b);
      expect(heap.pop()).toBe(held.shift());
    }
  }
  for (const value of held.sort((a, b) => a - b)) expect(heap.pop()).toBe(value);
  expect(heap.pop()).toBeUndefined();
});
