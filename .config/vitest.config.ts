import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { temporaryFolder } from './vitest.temporary-folder.js';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // Those start processes by the dozen and have a run of their own.
    exclude: [...configDefaults.exclude, 'test/**/*.processes.test.ts'],
    testTimeout: 20_000,
    env: temporaryFolder(),
    // One process for many files: starting one for each costs more than running it.
    isolate: false,
    // One more than cores are needed: there is always a test that waits.
    maxWorkers: 3,
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // Runs in a browser only: integration/report-page.test.ts sees to it.
      exclude: [
        'src/batch/report/page/report-page.ts',
        'src/batch/report/page/view/**',
        'src/web/view/**',
      ],
      reporter: ['text-summary', 'html'],
    },
  },
});
