import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanStates, retireUnusedStates } from '../../../src/batch/clean/clean-states.js';
import { retireState } from '../../../src/batch/clean/retire-state.js';
import { readFoldersRecord } from '../../../src/batch/state/folders-record.js';
import { writeSealedFile } from '../../../src/batch/state/sealed-file.js';
import { crashBeforeMerge, openCleanLab } from './lab.js';

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;

/** Sets the last use of a state folder to a time in the past. */
function makeOld(stateDir: string, days: number): void {
  const seconds = (Date.now() - days * DAY_MS) / 1000;
  for (const name of readdirSync(stateDir)) utimesSync(join(stateDir, name), seconds, seconds);
}

it('cleans old batches and batches without an output folder, and no others', async () => {
  const { folder, state, run, stateOf } = openCleanLab();
  for (const name of ['old', 'new', 'gone']) await run(name);
  makeOld(stateOf('old'), 40);
  rmSync(join(folder, 'gone'), { recursive: true });
  mkdirSync(join(state, 'foreign-0123456789abcdef'));
  cpSync(stateOf('old'), join(state, 'copied-0123456789abcdef'), { recursive: true });
  const options = { state, olderThanMs: MONTH_MS };
  const planned = await cleanStates({ ...options, dryRun: true });
  expect(planned.removed.map(({ path }) => path).sort()).toEqual([stateOf('gone'), stateOf('old')]);
  expect(readdirSync(state)).toHaveLength(5);
  const report = await cleanStates(options);
  expect(report.removed.map(({ path }) => path)).toEqual(planned.removed.map(({ path }) => path));
  expect(readdirSync(state).sort()).toEqual(
    [
      'copied-0123456789abcdef',
      'foreign-0123456789abcdef',
      stateOf('new').slice(state.length + 1),
    ].sort(),
  );
  expect(existsSync(join(folder, 'old', 'report.html'))).toBe(true);
});

it('keeps batches with work that is not merged, and says so', async () => {
  const { state, stateDir } = await crashBeforeMerge();
  makeOld(stateDir, 40);
  const options = { state, olderThanMs: MONTH_MS };
  expect((await cleanStates(options)).kept).toEqual([
    { path: stateDir, reason: expect.stringContaining('would be lost') },
  ]);
  expect(existsSync(stateDir)).toBe(true);
  expect((await cleanStates({ ...options, force: true })).removed).toHaveLength(1);
});

it('removes the rest of a state whose removal was interrupted', async () => {
  const { state, run, stateDir } = openCleanLab();
  await run();
  const retired = await retireState(stateDir);
  rmSync(join(retired, 'ledger.jsonl'));
  const { removed } = await cleanStates({ state, olderThanMs: MONTH_MS });
  expect(removed).toMatchObject([{ path: retired, what: 'rest of a state' }]);
  expect(readdirSync(state)).toEqual([]);
});

it('an empty state root has nothing to clean', async () => {
  const { state } = openCleanLab();
  expect(await cleanStates({ state, olderThanMs: 0 })).toEqual({
    removed: [],
    kept: [],
    notes: [],
  });
});

it('the start of a batch removes states that were not used for 30 days and whose output folder is gone', async () => {
  const { folder, run, stateOf } = openCleanLab();
  for (const name of ['gone', 'recent', 'present']) await run(name);
  makeOld(stateOf('gone'), 31);
  makeOld(stateOf('present'), 31);
  for (const name of ['gone', 'recent']) rmSync(join(folder, name), { recursive: true });
  await run('another');
  expect(existsSync(stateOf('gone'))).toBe(false);
  expect(existsSync(stateOf('recent'))).toBe(true);
  expect(existsSync(stateOf('present'))).toBe(true);
});

it('the start of a batch keeps states whose output folder may be on a disk that is not mounted', async () => {
  const { folder, state, run, stateOf } = openCleanLab();
  await run('disk/out');
  await run('other/out');
  renameSync(join(folder, 'disk'), join(folder, 'unmounted'));
  const other = stateOf('other/out');
  const record = readFoldersRecord(other);
  // The parent folder is the mount point: it is there, on another device.
  writeSealedFile(join(other, 'folders.json'), { ...record, device: (record?.device ?? 0) + 1 });
  rmSync(join(folder, 'other', 'out'), { recursive: true });
  const disk = join(state, readdirSync(state).find((name) => !other.endsWith(name)) ?? '');
  for (const dir of [disk, other]) makeOld(dir, 31);
  await retireUnusedStates(join(state, 'mine'));
  expect(readdirSync(state)).toHaveLength(2);
});

it('the start of a batch keeps states with work that is not merged, and removes at most three', async () => {
  const { state, stateDir, out, run, folder, stateOf } = await crashBeforeMerge();
  rmSync(out, { recursive: true });
  makeOld(stateDir, 31);
  await retireUnusedStates(join(state, 'mine'));
  expect(existsSync(stateDir)).toBe(true);
  for (const name of ['a', 'b', 'c', 'd']) await run(name);
  for (const name of ['a', 'b', 'c', 'd']) {
    rmSync(join(folder, name), { recursive: true });
    makeOld(stateOf(name), 31);
  }
  await retireUnusedStates(join(state, 'mine'));
  expect(readdirSync(state)).toHaveLength(2);
  await retireUnusedStates(join(state, 'mine'));
  expect(readdirSync(state)).toEqual([stateDir.slice(state.length + 1)]);
});
