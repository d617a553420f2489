import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { ensureFreshBuild } from './fresh-build.mjs';
import { STATE_OF_TESTS } from './state-of-tests.js';

/** Builds `dist` before the tests and before each repetition in watch mode: tests of all projects start programs in it. */
export async function setup(project: TestProject): Promise<void> {
  await ensureFreshBuild();
  project.onTestsRerun(ensureFreshBuild);
}

/** Removes the state of the batches that the tests have run. */
export function teardown(): void {
  rmSync(STATE_OF_TESTS, { recursive: true, force: true });
}
