import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createQueueAgent } from '../../../integration/programs/queue-agent.mjs';
import { ledgerProblem } from '../../../src/batch/ledger/ledger-problem.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failAt } from '../../batch/run/fail-ledger.js';
import { openQueueLab } from '../queue-lab.js';

it('a batch whose ledger cannot be written leaves its jobs to the next run of the same command', async () => {
  const lab = await openQueueLab();
  const ground = makeTree({ 'runs.txt': '' });
  const runs = join(ground, 'runs.txt');
  const gate = join(ground, 'gate');
  // @ts-expect-error: the agent has only the members that a worker uses.
  await lab.work({ provider: createQueueAgent(runs) });
  const steps = [
    { id: 'slow', prompt: `until=${gate} slow.txt=x` },
    { id: 'quick', prompt: 'wait=300 quick.txt=x' },
  ];
  const plan = { defaults: { workingDir: lab.workspace, retries: 0 }, steps };
  const run = () =>
    runBatch(plan, {
      out: join(ground, 'out'),
      state: join(ground, 'state'),
      provider: lab.connect(),
    });
  const repair = failAt('done', ledgerProblem('ledger.jsonl', new Error('no space')));
  await expect(run()).rejects.toMatchObject({ message: 'The ledger ledger.jsonl cannot be used' });
  repair();
  const [job] = await lab.open().list({ state: 'active' });
  expect(job).toMatchObject({ prompt: steps[0]?.prompt, isCancelled: false });
  const again = run();
  await vi.waitUntil(() => readFileSync(runs, 'utf8').includes('quick'), 10_000);
  writeFileSync(gate, '');
  expect((await again).outcome).toBe('succeeded');
  const begun = readFileSync(runs, 'utf8').trim().split('\n').sort();
  expect(begun).toEqual(steps.map(({ prompt }) => prompt).sort());
});
