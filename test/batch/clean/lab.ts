import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Isolation } from '../../../src/api/batch-plan.js';
import { LedgerFile } from '../../../src/batch/ledger/ledger-file.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { locateState } from '../../../src/batch/state/state-folder.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createScriptedProvider } from '../run/scripted-provider.js';

/** Creates folders for batches of one step, whose agent writes `new.txt`. */
export function openCleanLab(isolation: Isolation = 'shared') {
  const folder = makeTree();
  const [out, state, work] = [join(folder, 'out'), join(folder, 'state'), join(folder, 'work')];
  mkdirSync(work);
  const provider = createScriptedProvider(() => ({ write: { 'new.txt': 'n\n' } }));
  const run = (name = 'out', fresh = false) => {
    const defaults = { workingDir: work, isolation };
    const plan = { defaults, steps: [{ id: 'x', prompt: 'x', retries: 0 }] };
    const options = { out: join(folder, name), state, provider, baseDir: folder, fresh };
    return runBatch(plan, options);
  };
  const stateOf = (name = 'out'): string => locateState(join(folder, name), state);
  return { folder, out, state, work, provider, run, stateOf, stateDir: stateOf() };
}

/** Runs a batch in a copy that ends when its changes are saved and not merged yet. */
export async function crashBeforeMerge() {
  const lab = openCleanLab('copy');
  const append = LedgerFile.prototype.append;
  let isBroken = false;
  const spy = vi.spyOn(LedgerFile.prototype, 'append').mockImplementation(function (
    this: LedgerFile,
    entry,
  ) {
    isBroken ||= entry.type === 'done';
    return isBroken ? Promise.reject(new Error('crash')) : append.call(this, entry);
  });
  onTestFinished(() => spy.mockRestore());
  await lab.run().then(undefined, () => undefined);
  spy.mockRestore();
  return lab;
}
