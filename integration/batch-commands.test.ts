import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startBatch } from './batch-command.js';
import { makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

const IDS = ['one', 'two', 'three', 'four'];
const WAIT = { timeout: 60_000, interval: 50 };

/** Opens a batch of four steps on the real CLI, one at a time, each of which takes as long as the commands need. */
async function openBatch() {
  const lab = await openLab(
    IDS.map((id) => ({
      prompt: new RegExp(`(^|\\n)${id} writes`),
      turns: [{ latencyMs: 6_000, ...writing(`${id}.txt`, `${id}\n`) }, { text: 'Done.' }],
    })),
    {
      files: {
        'plan.json': JSON.stringify({
          concurrency: 1,
          defaults: { model: 'gemini-2.5-flash', trustWorkspace: true },
          steps: IDS.map((id) => ({ id, prompt: `${id} writes its file` })),
        }),
      },
    },
  );
  const state = makeFolder();
  const start = (...args: string[]) => startBatch(lab, [...args, '--state', state]);
  return {
    state,
    out: join(lab.workspace, 'out'),
    /** Starts the batch, and waits until the model has so many requests. */
    run: async (requests: number) => {
      const batch = start('plan.json', '--out', 'out');
      await vi.waitFor(() => {
        expect(lab.model.requests.length).toBeGreaterThanOrEqual(requests);
      }, WAIT);
      return batch;
    },
    start,
    ask: (...args: string[]) => start(...args).done,
  };
}

it('batch stop and clean refuse wrong folders and running batches, and do what they say', async () => {
  const { out, state, run, start, ask } = await openBatch();
  for (const command of ['stop', 'clean', 'status', 'watch', 'report']) {
    const answer = await ask(command, 'nowhere', '--json');
    expect([command, answer.code, answer.stderr]).toEqual([command, 2, '']);
    const { ok, error } = JSON.parse(answer.stdout);
    expect([ok, error.code]).toEqual([false, 'INVALID_INPUT']);
    expect(error.message).toContain('nowhere');
  }
  const batch = await run(1);
  const early = await ask('clean', 'out');
  expect([early.code, early.stdout]).toEqual([2, '']);
  expect(early.stderr).toContain(`Another batch uses ${out}`);
  expect(early.stderr).toContain('batch stop');
  expect((await ask('clean', 'out', '--all', '--force')).code).toBe(2);

  // Ctrl-C ends the wait of the command, not the request.
  const waiting = start('stop', 'out');
  waiting.child.stderr.once('data', () => waiting.child.kill('SIGINT'));
  expect((await waiting.done).stderr).toContain('Asked the batch to stop');
  expect(waiting.child.signalCode).toBe('SIGINT');
  const stopped = await ask('stop', 'out', '--json');
  // The batch may have ended before the second request.
  if (stopped.code === 0) {
    expect(JSON.parse(stopped.stdout)).toEqual({ ok: true, kind: 'stop', ended: true });
  }
  const { code, stderr, stdout } = await batch.done;
  expect(code).toBe(11);
  expect(stderr).toContain('[1/4] ✓ one');
  expect(stdout).toContain('stopped: 1 of 4 steps succeeded');
  const late = await ask('stop', 'out');
  expect([late.code, late.stdout]).toEqual([2, '']);
  expect(late.stderr).toContain(`No batch runs in ${out}`);

  const shown = await ask('clean', 'out', '--dry-run', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ dryRun: true });
  expect(readdirSync(state)).toHaveLength(1);
  const cleaned = await ask('clean', 'out');
  expect(cleaned).toMatchObject({ code: 0, stderr: '' });
  expect(cleaned.stdout).toMatch(/\(state of the batch\)\nRemoved 1 item, /);
  expect(readdirSync(state)).toEqual([]);
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  expect((await ask('clean', 'out')).stdout).toBe('There is nothing to remove.\n');
  expect((await ask('clean', 'out', '--all')).code).toBe(0);
  expect(existsSync(out)).toBe(false);
});

it('batch stop --cancel ends the running step, and the batch goes on later', async () => {
  const { run, ask } = await openBatch();
  const batch = await run(1);
  const answer = await ask('stop', 'out', '--cancel', '--no-wait', '--json');
  expect(answer.code).toBe(0);
  expect(JSON.parse(answer.stdout)).toEqual({ ok: true, kind: 'cancel', ended: false });
  const { code, stdout } = await batch.done;
  expect(code).toBe(11);
  expect(stdout).toContain('stopped: 0 of 4 steps succeeded · 1 cancelled · 3 pending');
  expect((await ask('status', 'out')).stdout).toContain('not running: stopped');
});

it('a killed batch tells what happened, what is lost and how to go on', async () => {
  const { run, ask, out, state } = await openBatch();
  const batch = await run(3);
  batch.child.kill('SIGKILL');
  const { stderr: log } = await batch.done;
  // The log alone leads to the status.
  expect(log).toContain(`1 at a time, process ${batch.child.pid} on `);
  expect(log).toContain(`gemini-cli-provider batch status ${out} --state ${state}`);
  const { stdout } = await ask('status', 'out');
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toMatch(
    /: not running: killed \(last line of the ledger at .*, process \d+ on /,
  );
  expect(lines.slice(1, 3)).toEqual([
    expect.stringMatching(/^1 of 4 steps succeeded · 3 pending · \d+ tokens$/),
    '! interrupted, will begin again: two',
  ]);
  expect(lines[3]).toContain('1 attempt was at work and will begin again');
  expect(lines[4]).toMatch(/^Resume: gemini-cli-provider batch .*plan\.json --out out --state /);
  const report = await ask('report', 'out');
  expect(report.stdout).toContain('The process of the batch was killed');
  expect(report.stdout).toContain('Resume: gemini-cli-provider batch ');
  const { stop, steps } = JSON.parse((await ask('report', 'out', '--json')).stdout);
  expect(stop.reason).toBe('killed');
  expect(steps[1].attempts).toMatchObject([{ outcome: 'interrupted' }]);
  expect((await ask('watch', 'out')).code).toBe(11);
  expect((await ask('stop', 'out')).code).toBe(2);
  const again = await run(4);
  expect((await ask('stop', 'out')).code).toBe(0);
  expect((await again.done).stderr).toMatch(/\[2\/4\] ✓ two .* · 1 attempt interrupted before\n/);
});
