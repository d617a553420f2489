import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBatch } from './batch-command.js';
import { type Lab, openLab, read } from './support.js';
import { writing } from './tool-calls.js';

const FLAGS = ['--out', 'out', '--trust-workspace', '--max-cli-attempts', '1'];

const start = (lab: Lab, ...args: string[]) => startBatch(lab, args);
const run = (lab: Lab, ...args: string[]) => start(lab, ...args).done;

const PLAN = `
name: tour
concurrency: 2
defaults: { model: gemini-2.5-flash }
steps:
  - { id: slow, prompt: slow }
  - { id: quick, for: { n: [1, 2] }, prompt: "quick {{n}}" }
`;

it('dry run, status, watch and report tell the truth about a batch on the real CLI', async () => {
  const released = new AbortController();
  const release = once(released.signal, 'abort');
  const lab = await openLab(
    [
      { prompt: /^slow/, turns: [() => release.then(() => ({ text: 'slow' }))] },
      { prompt: /^quick 1/, turns: [writing('one.txt', '1\n'), { text: 'one' }] },
      { prompt: /^quick/, turns: [{ text: 'two' }] },
    ],
    { files: { 'plan.yaml': PLAN } },
  );
  const doomed = await run(lab, 'plan.yaml', '--out', 'out', '--no-trust-workspace');
  expect(doomed.code).toBe(3);
  expect(doomed.stderr).toContain('UNTRUSTED_WORKSPACE');
  expect(doomed.stderr.match(/UNTRUSTED_WORKSPACE/g)).toHaveLength(1);
  expect(lab.model.requests).toEqual([]);

  const running = start(lab, 'plan.yaml', ...FLAGS);
  const out = join(lab.workspace, 'out');
  let status = JSON.parse((await run(lab, 'status', 'out', '--json')).stdout);
  while (status.state !== 'running' || status.counts.running === 0) {
    await sleep(200);
    status = JSON.parse((await run(lab, 'status', 'out', '--json')).stdout);
  }
  const watching = start(lab, 'watch', 'out', '--json');
  expect(status).toMatchObject({ outcome: 'running', owner: { pid: running.child.pid } });
  const report = JSON.parse((await run(lab, 'report', 'out', '--json')).stdout);
  expect(report.outcome).toBe('running');
  const meanwhile = await run(lab, 'plan.yaml', ...FLAGS, '--dry-run');
  expect(meanwhile).toMatchObject({ code: 0, stderr: '' });
  expect(meanwhile.stdout).toContain('The batch runs now');

  released.abort();
  expect((await running.done).code).toBe(0);
  const watched = await watching.done;
  expect(watched.code).toBe(0);
  expect(watched.stdout).toContain('"type":"batch-finished"');
  expect((await run(lab, 'status', 'out')).stdout).toContain('not running: succeeded');
  const after = await run(lab, 'plan.yaml', ...FLAGS, '--dry-run');
  expect(after.stdout).toContain('tour: 3 steps · 3 reuse');
  expect(after.stdout).toContain('quick[…] × 2: reuse');
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  expect(JSON.parse(read(out, 'report.json')).outcome).toBe('succeeded');
});
