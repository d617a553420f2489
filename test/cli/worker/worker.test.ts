import { expect, it } from 'vitest';
import { addWorkerCommand } from '../../../src/cli/worker/worker.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';

const run = (...args: readonly string[]) => runCommandHere(addWorkerCommand, ['worker', ...args]);

it('the help has the defaults of a worker, and not those of a single step', async () => {
  const { stdout } = await run('--help');
  const help = stdout.replace(/\s+/g, ' ');
  expect(help).toContain('headless or acp (default: acp, on warm processes)');
  expect(help).toContain('Trust the folders of all steps');
  expect(help).toContain('the highest that a step may ask for');
  expect(help).toContain('loses its steps (default: 15s)');
  expect(help).toContain('searches for such steps (default: 5s)');
  expect(help).not.toContain('default: headless');
});

it.each([
  [['--name', 'a b'], 'A name must have 1 to 64 letters, digits'],
  [['--concurrency', '0'], 'Give a whole number from 1 to 1000.'],
  [['--concurrency', '1001'], 'Give a whole number from 1 to 1000.'],
  [['--max-upload', 'much'], 'Give bytes, or a size such as 64MB.'],
])('%s is refused before the store is asked', async (args, problem) => {
  expect((await run(...args)).stderr).toContain(problem);
});
