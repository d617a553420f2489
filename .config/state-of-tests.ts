import { fileURLToPath } from 'node:url';

/** State folder of the batches of one start of vitest, so that two starts at the same time do not disturb each other. */
export const STATE_OF_TESTS = fileURLToPath(
  new URL(`../node_modules/.cache/gemini-cli-provider/tests-state-${process.pid}`, import.meta.url),
);
