import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { addBatchClean } from '../../../src/cli/batch/batch-clean.js';
import type { Output } from '../../../src/cli/output/output.js';
import { crashBeforeMerge, openCleanLab } from '../../batch/clean/lab.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';

const add = (program: Command, output: Output): void => {
  addBatchClean(program.command('batch'), output);
};
const clean = (...args: string[]) => runCommandHere(add, ['batch', 'clean', ...args]);

it('shows what would be removed, removes it, and finds nothing the second time', async () => {
  const { out, state, stateDir, run } = openCleanLab();
  await run();
  const shown = await clean(out, '--state', state, '--dry-run');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^→ .*[\s\S]*Would remove \d+ items?, /);
  expect(existsSync(stateDir)).toBe(true);
  const done = await clean(out, '--state', state, '--json');
  expect(JSON.parse(done.stdout)).toMatchObject({ dryRun: false, bytes: expect.any(Number) });
  expect(existsSync(stateDir)).toBe(false);
});

it('cleans all batches that were last used before a time', async () => {
  const { state, run } = openCleanLab();
  await run();
  const { code, stdout } = await clean('--state', state, '--older-than', '30d');
  expect([code, stdout]).toEqual([0, 'There is nothing to remove.\n']);
});

it('refuses to remove work that is not merged, unless forced', async () => {
  const { out, state, stateDir } = await crashBeforeMerge();
  const refused = await clean(out, '--state', state, '--json');
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, error: { code: 'INVALID_INPUT' } });
  expect(existsSync(stateDir)).toBe(true);
  expect((await clean(out, '--state', state, '--force')).code).toBe(0);
  expect(existsSync(stateDir)).toBe(false);
});

it.each([
  [[], 'Neither a folder nor --older-than is given'],
  [['out', '--older-than', '30d'], 'A folder and --older-than exclude each other'],
  [['--older-than', '30'], 'Give a time such as 30d or 12h.'],
  [['out', '--all', '--older-than', '3d'], "option '--all' cannot be used with option"],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await clean(...args);
  expect(code === 2 || code === undefined).toBe(true);
  expect(stderr).toContain(message);
});
