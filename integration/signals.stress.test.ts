import { expect, it } from 'vitest';
import { interruptOnce } from './terminal-batch.js';

it('a Ctrl-C at any call of git makes no step fail', async () => {
  const calls = Array.from({ length: 12 }, (_, index) => 1 + index * 3);
  for (const call of calls) await interruptOnce(call, 0);
  expect(calls).toHaveLength(12);
});
