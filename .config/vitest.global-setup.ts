import type { TestProject } from 'vitest/node';
import { ensureFreshBuild } from './fresh-build.mjs';

/** Builds `dist` before the tests and before each repetition in watch mode: tests of all projects start programs in it. */
export async function setup(project: TestProject): Promise<void> {
  await ensureFreshBuild();
  project.onTestsRerun(ensureFreshBuild);
}
