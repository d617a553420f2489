import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { temporaryFolder } from './vitest.temporary-folder.js';

/** So that no worker is left alone with a long file at the end. What was measured last time may be half a run. */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return [...files].sort((a, b) => sizeOf(b) - sizeOf(a));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['integration/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: temporaryFolder(),
    // One process for many files: starting one for each costs more than running it.
    isolate: false,
    // One more than cores are needed: there is always a test that waits.
    maxWorkers: 3,
    sequence: { sequencer: LargestFirst },
  },
});
