import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { locateState } from '../.build/batch/state/state-folder.js';
import { GEMINI, type Lab, makeFolder, openLab, read } from './support.js';
import { writing } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
const FLAGS = ['--model', 'gemini-2.5-flash', '--trust-workspace', '--max-cli-attempts', '1'];
const QUICK = 8;
/** Time of the first answer of the slow first step: longer than the longest time before a kill. */
const SLOW_MS = 6_000;
const LONGEST_MS = 5_000;
const KILLS_PER_BATCH = 4;

interface Entry {
  readonly type: string;
  readonly step?: string;
  readonly outcome?: string;
}

/** Reads the lines of the ledger that are complete. */
function readLedger(state: string): readonly Entry[] {
  if (!existsSync(join(state, 'ledger.jsonl'))) return [];
  return read(state, 'ledger.jsonl')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line).content.entry];
      } catch {
        return [];
      }
    });
}

function findEnded(entries: readonly Entry[]): string[] {
  const ended = entries.filter(
    ({ type, outcome }) => type === 'attempt' && outcome === 'succeeded',
  );
  return ended.map(({ step = '' }) => step);
}

function start(lab: Lab, plan: string, out: string) {
  const env = { ...process.env, ...lab.model.env, GEMINI_CLI_PATH: GEMINI };
  const args = [MAIN, 'batch', plan, '--out', out, ...FLAGS];
  const child = spawn(process.execPath, args, { cwd: lab.workspace, env });
  child.stdin.end();
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { child, output };
}

/**
 * Kills a batch on the real CLI at random moments, with worktrees and a slow first step, and resumes it. No step whose
 * attempt had ended and been synced may run again.
 */
export async function killAtRandomMoments(kills: number): Promise<void> {
  let killed = 0;
  while (killed < kills) killed += await killOneBatch(kills - killed);
}

async function killOneBatch(most: number): Promise<number> {
  const ids = Array.from({ length: QUICK }, (_, index) => `quick${index}`);
  const lab = await openLab([
    {
      prompt: 'slow',
      turns: [{ latencyMs: SLOW_MS, ...writing('slow.txt', 'slow\n') }, { text: 'said slow' }],
    },
    ...ids.map((id) => ({
      prompt: id,
      turns: [writing(`${id}.txt`, `${id}\n`), { text: `said ${id}` }],
    })),
  ]);
  const git = (...args: string[]) => execFileSync('git', ['-C', lab.workspace, ...args]).toString();
  writeFileSync(join(lab.workspace, 'a.txt'), 'a\n');
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  const steps = ['slow', ...ids].map((id) => ({ id, prompt: id }));
  const defaults = { workingDir: lab.workspace, isolation: 'worktree', retries: 0 };
  const files = makeFolder({
    'plan.json': JSON.stringify({ name: 'kill', concurrency: 3, defaults, steps }),
  });
  const [plan, out] = [join(files, 'plan.json'), join(files, 'out')];
  const state = locateState(out, undefined);
  let kills = 0;
  // More kills of the same batch would find only the slow step.
  for (; kills < Math.min(KILLS_PER_BATCH, most); kills++) {
    const { child, output } = start(lab, plan, out);
    await Promise.race([sleep(Math.random() * LONGEST_MS), once(child, 'exit')]);
    child.kill('SIGKILL');
    await output;
  }
  const before = readLedger(state);
  const { child, output } = start(lab, plan, out);
  const [stdout, stderr] = await output;
  expect({ code: child.exitCode, stdout, stderr }).toMatchObject({ code: 0 });
  const after = readLedger(state);
  // A batch that is killed before its output folder has its id begins a new ledger: no step has started by then.
  const hasStarted = before.some(({ type }) => type !== 'plan');
  if (hasStarted) expect(after.slice(0, before.length)).toEqual(before);
  // Each attempt that has ended is the last one of its step, over all runs.
  expect(findEnded(after).toSorted()).toEqual(['slow', ...ids].toSorted());
  for (const id of ids) expect(read(lab.workspace, `${id}.txt`)).toBe(`${id}\n`);
  expect(read(lab.workspace, 'slow.txt')).toBe('slow\n');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  const left = readdirSync(state);
  expect(left).not.toContain('saved');
  expect(left).not.toContain('isolated');
  return kills;
}
