import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['integration/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The real CLI needs one core for itself.
    maxWorkers: 2,
  },
});
