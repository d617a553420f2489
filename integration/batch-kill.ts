import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { locateState } from '../.build/batch/state/state-folder.js';
import { findProcesses, makeFolder, read } from './support.js';

const HOST = join(import.meta.dirname, 'programs', 'batch-host.mjs');
/** Upper limit of the random pauses of the agent: the batch must still be running at the last kill. */
const SLOWNESS_MS = 600;
/** Longest time before a kill. */
const LONGEST_MS = 1_500;
const FILES = {
  'old.txt': 'old\n',
  'log.txt': 'nothing yet\n',
  'shared.txt': 'before\n',
  'list.txt': 'nil\n',
};

const PLAN = {
  name: 'kill',
  defaults: { retries: 0 },
  steps: [
    { id: 'slow', prompt: 'SLOW k.txt=11', isolation: 'worktree' },
    { id: 'first', prompt: 'a.txt=1 b.txt=2' },
    { id: 'second', prompt: 'c.txt=3', isolation: 'worktree' },
    { id: 'change', prompt: 'old.txt=new', isolation: 'worktree' },
    { id: 'rewrite', prompt: 'shared.txt=after d.txt=4' },
    { id: 'after', prompt: '{{steps.first.text}} e.txt=5', needs: ['first', 'second'] },
    { id: 'log', prompt: 'log.txt=one', needs: ['rewrite'] },
    { id: 'log-again', prompt: 'log.txt=two', needs: ['log'] },
    { id: 'tree', prompt: 'f.txt=6 g.txt=7', isolation: 'worktree', needs: ['change'] },
    { id: 'tree-again', prompt: 'f.txt=66', isolation: 'worktree', needs: ['tree'] },
    { id: 'add', prompt: 'list.txt+=one', isolation: 'worktree' },
    { id: 'add-more', prompt: 'list.txt+=two h.txt=8', isolation: 'copy', needs: ['add'] },
    { id: 'late', prompt: 'i.txt=9', needs: ['log-again', 'after'] },
    { id: 'last', prompt: '{{steps.late.text}} j.txt=10', needs: ['late', 'tree-again'] },
  ],
};

function prepare(): { readonly folder: string; readonly plan: string; readonly out: string } {
  const folder = makeFolder({ ...FILES, '.gitignore': 'plan.json\n' });
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  const outside = makeFolder({ 'plan.json': '' });
  const plan = makeFolder({ 'plan.json': planText(folder) });
  return { folder, plan: join(plan, 'plan.json'), out: join(outside, 'out') };
}

function planText(workingDir: string): string {
  return JSON.stringify({ ...PLAN, defaults: { ...PLAN.defaults, workingDir } });
}

function start(plan: string, out: string, slowness: number, tag: string) {
  const env = { ...process.env, BATCH_KILL_TEST: tag };
  const child = spawn(process.execPath, [HOST, plan, out, String(slowness)], { env });
  const ready = once(child.stdout, 'data');
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const go = async (): Promise<void> => {
    await ready;
    child.stdin.on('error', () => {}).write('go');
  };
  return { child, output, go };
}

async function finish(plan: string, out: string, tag: string): Promise<void> {
  const { go, output } = start(plan, out, 0, tag);
  await go();
  const [stdout, stderr] = await output;
  expect({ stdout, stderr }).toEqual({ stdout: 'ready\nsucceeded\n', stderr: '' });
}

/** Picks the parts of a report that do not depend on how often the batch was killed. */
function essence(out: string) {
  const report = JSON.parse(read(out, 'report.json'));
  const { name, outcome, counts, steps, files, warnings } = report;
  return {
    name,
    unexplained: warnings.filter(({ code }: { code: string }) => code === 'UNEXPLAINED_CHANGES'),
    outcome,
    counts,
    // The undisturbed batch and the killed batch run in different folders.
    files: files.map((file: object) => ({ ...file, absolutePath: undefined })),
    steps: steps.map((step: Record<string, unknown>) => {
      const { id, state, text: answer, prompt, skippedBecauseOf, isolation } = step;
      const written = Array.isArray(step['files']) ? step['files'] : [];
      const kinds = written.map(({ path, kind, sha256Before, sha256After }) => {
        return { path, kind, sha256Before, sha256After };
      });
      return { id, state, answer, prompt, skippedBecauseOf, isolation, kinds };
    }),
  };
}

/** Kills a batch at random moments. Every step must run once, and the report must be that of a batch without kills. */
export async function killBatch(count: number): Promise<void> {
  const undisturbed = prepare();
  const tag = `kill-${process.pid}-${Date.now()}`;
  await finish(undisturbed.plan, undisturbed.out, tag);

  const { folder, plan, out } = prepare();
  let next = start(plan, out, SLOWNESS_MS, tag);
  let longestMs = 150;
  let lastLines = 0;
  for (let kills = 0; kills < count; kills++) {
    const { child, output, go } = next;
    // The next process loads its modules while this one runs.
    next = start(plan, out, SLOWNESS_MS, tag);
    await go();
    await sleep(Math.random() * longestMs);
    child.kill('SIGKILL');
    const [, stderr] = await output;
    // A killed process prints no error. A process that ended before its kill exits with 0.
    expect([stderr, child.exitCode ?? 0]).toEqual(['', 0]);
    // On a busy machine the process is killed before it creates the ledger.
    const lines = existsSync(join(stateOf(out), 'ledger.jsonl')) ? countStarts(out) : 0;
    // The limit holds for a batch that is over: none of its steps starts any more.
    longestMs = Math.min(LONGEST_MS, longestMs * (lines === lastLines ? 1.3 : 0.95));
    lastLines = lines;
  }
  next.child.kill('SIGKILL');
  await next.output;
  await finish(plan, out, tag);

  const entries = read(stateOf(out), 'ledger.jsonl').split('\n').flatMap(parse);
  const done = entries.filter(({ type }) => type === 'done').map(({ step }) => step);
  expect(done.toSorted()).toEqual(PLAN.steps.map(({ id }) => id).toSorted());
  expect(entries.filter(({ type }) => type === 'plan').length).toBeGreaterThan(count / 10);
  // An isolated attempt that has ended is on the disk: its step never runs again.
  const isolated = new Set(PLAN.steps.flatMap((step) => ('isolation' in step ? step.id : [])));
  const ended = entries
    .filter(({ type, outcome }) => type === 'attempt' && outcome === 'succeeded')
    .map(({ step }) => String(step))
    .filter((id) => isolated.has(id));
  expect(ended.toSorted()).toEqual([...isolated].toSorted());
  expect(essence(out)).toEqual(essence(undisturbed.out));
  for (const name of readdirSync(undisturbed.folder).filter((file) => file.endsWith('.txt'))) {
    expect([name, read(folder, name)]).toEqual([name, read(undisturbed.folder, name)]);
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args]).toString();
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(readdirSync(stateOf(out))).not.toContain('isolated');
  expect(readdirSync(stateOf(out))).not.toContain('saved');
  expect(findProcesses(`BATCH_KILL_TEST=${tag}`)).toEqual([]);
}

function stateOf(out: string): string {
  return locateState(out, undefined);
}

function countStarts(out: string): number {
  return read(stateOf(out), 'ledger.jsonl').split('"type":"start"').length;
}

function parse(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line).content.entry];
  } catch {
    return [];
  }
}
