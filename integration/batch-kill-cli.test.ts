import { it } from 'vitest';
import { killAtRandomMoments } from './batch-kill-cli.js';

it('a batch on the real CLI that is killed 8 times runs no step again whose attempt had ended', async () => {
  await killAtRandomMoments(8);
}, 300_000);
