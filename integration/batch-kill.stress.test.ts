import { it } from 'vitest';
import { killBatch } from './batch-kill.js';

it('a batch that is killed 100 times runs every step once and has the report of a batch without kills', async () => {
  await killBatch(100);
}, 1_800_000);
