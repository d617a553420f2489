import { it } from 'vitest';
import { runDeskRounds } from './desk-rounds.js';

it('answers random dialogs of the real CLI at random, and never a wrong one', {
  timeout: 240_000,
}, async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`Seed of the rounds: ${seed}`);
  await runDeskRounds(10, seed);
});
