import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.processes.test.ts'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 2,
  },
});
