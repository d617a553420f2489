import { it } from 'vitest';
import { killBatch } from './batch-kill.js';

it('a batch that is killed 40 times runs every step once and has the report of a batch without kills', async () => {
  await killBatch(40);
}, 300_000);
