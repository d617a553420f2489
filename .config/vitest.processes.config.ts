import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './vitest.temporary-folder.js';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.processes.test.ts'],
    testTimeout: 60_000,
    env: temporaryFolder(),
    isolate: false,
    // One more than cores are needed: there is always a test that waits.
    maxWorkers: 3,
  },
});
