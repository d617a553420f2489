import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchReport } from 'gemini-cli-provider/batch';
import { expect, vi } from 'vitest';
import { findLabProcesses, GEMINI, type Lab, makeFolder, openLab, read } from './support.js';
import { makeSlowGit, openPane, type Pane } from './tmux.js';
import { writing } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
const WAIT = { timeout: 60_000, interval: 50 };

/** The model does not answer before the batch is ended. */
const WAITING = { steps: 3, concurrency: 2, latencyMs: 300_000, gitSeconds: 0.05 } as const;

interface TerminalBatch {
  readonly lab: Lab;
  readonly pane: Pane;
  readonly gitLog: string;
  readonly state: string;
  /** Waits until the reports are written, and returns the report. */
  report(): Promise<BatchReport>;
  /** Lets the model answer without latency from now on. */
  answerAtOnce(): void;
}

interface Setting {
  readonly steps: number;
  readonly concurrency: number;
  readonly latencyMs: number;
  readonly gitSeconds: number;
  /** Latency of the first step, if it is another one. */
  readonly firstLatencyMs?: number;
  readonly mergeOrder?: 'plan';
  readonly columns?: number;
}

/** Starts a batch of the real CLI in a terminal: each step writes one file. */
async function startBatch(setting: Setting): Promise<TerminalBatch> {
  const ids = Array.from({ length: setting.steps }, (_, index) => `step-${index}`);
  const latencies = ids.map((_, index) => ({
    latencyMs: index === 0 ? (setting.firstLatencyMs ?? setting.latencyMs) : setting.latencyMs,
  }));
  const plan = {
    concurrency: setting.concurrency,
    mergeOrder: setting.mergeOrder,
    defaults: { isolation: 'worktree', retries: 0 },
    steps: ids.map((id) => ({ id, prompt: `${id} writes its file` })),
  };
  const lab = await openLab(
    ids.map((id, index) => ({
      prompt: new RegExp(`(^|\\n)${id} writes`),
      turns: [
        Object.assign(latencies[index] ?? {}, writing(`${id}.txt`, `${id}\n`)),
        { text: `${id} is written.` },
      ],
    })),
    { files: { 'plan.json': JSON.stringify(plan) } },
  );
  const git = (...args: string[]) => execFileSync('git', ['-C', lab.workspace, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'start');
  const { path, log } = makeSlowGit(makeFolder(), setting.gitSeconds);
  const state = makeFolder();
  const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace', '--state', state];
  const args = ['batch', 'plan.json', '--out', 'out', ...flags];
  const pane = await openPane([process.execPath, MAIN, ...args], {
    cwd: lab.workspace,
    env: { ...lab.model.env, GEMINI_CLI_PATH: GEMINI, PATH: path },
    ...(setting.columns === undefined ? {} : { columns: setting.columns }),
  });
  const file = join(lab.workspace, 'out', 'report.html');
  const report = async (): Promise<BatchReport> => {
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), WAIT);
    await vi.waitFor(() => expect(isReleased(state)).toBe(true), WAIT);
    return JSON.parse(read(lab.workspace, 'out', 'report.json'));
  };
  const answerAtOnce = (): void => {
    for (const latency of latencies) latency.latencyMs = 0;
  };
  return { lab, pane, gitLog: log, state, report, answerAtOnce };
}

/** True if no lease file has an owner. */
function isReleased(state: string): boolean {
  const [folder = ''] = readdirSync(state);
  const leases = readdirSync(join(state, folder)).filter((name) => name.startsWith('lease-'));
  return leases.every((name) => read(state, folder, name) === '');
}

function countGitCalls(log: string): number {
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0;
}

function listWorktrees(lab: Lab): string[] {
  const list = execFileSync('git', ['-C', lab.workspace, 'worktree', 'list'], { encoding: 'utf8' });
  return list.trim().split('\n');
}

async function expectNothingLeft({ lab, state }: TerminalBatch): Promise<void> {
  await vi.waitFor(() => expect(findLabProcesses(lab)).toEqual([]), WAIT);
  expect(listWorktrees(lab)).toHaveLength(1);
  expect(isReleased(state)).toBe(true);
}

/** Resumes the batch without a terminal, and expects that every step is done once it has ended. */
async function expectResumable({ lab, state }: TerminalBatch): Promise<BatchReport> {
  const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace', '--state', state, '--json'];
  const args = [MAIN, 'batch', 'plan.json', '--out', 'out', ...flags];
  const env = { ...process.env, ...lab.model.env, GEMINI_CLI_PATH: GEMINI };
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  await promisify(execFile)(process.execPath, args, { cwd: lab.workspace, env });
  const report: BatchReport = JSON.parse(read(lab.workspace, 'out', 'report.json'));
  expect(report.outcome).toBe('succeeded');
  for (const { id } of report.steps) expect(read(lab.workspace, `${id}.txt`)).toBe(`${id}\n`);
  return report;
}

/**
 * One Ctrl-C while git is at work: the running steps finish, the others stay open, and the batch can be resumed. At the
 * first calls of git no step runs yet, so the caller says how many steps must have finished.
 */
export async function interruptOnce(atCall = 4, finishedSteps = 2): Promise<void> {
  const batch = await startBatch({ steps: 4, concurrency: 2, latencyMs: 0, gitSeconds: 0.1 });
  await vi.waitFor(() => expect(countGitCalls(batch.gitLog)).toBeGreaterThanOrEqual(atCall), {
    ...WAIT,
    interval: 5,
  });
  await batch.pane.press('C-c');
  const report = await batch.report();
  expect(report).toMatchObject({ outcome: 'stopped', stop: { reason: 'interrupted' } });
  const states = report.steps.map(({ state }) => state);
  const finished = states.filter((state) => state === 'succeeded').length;
  expect(finished).toBeGreaterThanOrEqual(finishedSteps);
  expect(states.filter((state) => state === 'pending')).toHaveLength(states.length - finished);
  await expectNothingLeft(batch);
  const { steps } = await expectResumable(batch);
  expect(steps.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
}

/**
 * Two Ctrl-C while the model is at work and two finished steps wait for the merge of the first one: the step at work is
 * cancelled and not failed, the finished ones are kept, nothing is left, and the batch can be resumed.
 */
export async function interruptTwice(): Promise<void> {
  const batch = await startBatch({
    steps: 3,
    concurrency: 2,
    latencyMs: 0,
    firstLatencyMs: 300_000,
    gitSeconds: 0.05,
    mergeOrder: 'plan',
  });
  const expectScreen = (text: string) => {
    return vi.waitFor(async () => expect(await batch.pane.read()).toContain(text), WAIT);
  };
  await expectScreen('2 finished, waiting to be merged behind step-0');
  await batch.pane.press('C-c');
  await expectScreen('Stopping');
  await batch.pane.press('C-c');
  const states = (await batch.report()).steps.map(({ state }) => state);
  expect(states).toEqual(['cancelled', 'succeeded', 'succeeded']);
  await expectNothingLeft(batch);
  batch.answerAtOnce();
  const { steps } = await expectResumable(batch);
  expect(steps.map(({ attempts }) => attempts.length)).toEqual([2, 1, 1]);
}

/** The terminal is closed: reports are written, lease and worktrees are gone. */
export async function closeTerminal(): Promise<void> {
  const batch = await startBatch({ ...WAITING });
  await vi.waitFor(() => expect(batch.lab.model.requests.length).toBeGreaterThan(0), WAIT);
  await expectEndInOrder(batch, () => batch.pane.close());
}

/**
 * The terminal becomes narrow and wide again while the live view draws: no remains of a drawing stay on the screen. Then the
 * process gets SIGTERM, and ends in order, too.
 */
export async function resizeAndTerminate(): Promise<void> {
  const batch = await startBatch({ ...WAITING, columns: 100 });
  await vi.waitFor(() => expect(batch.lab.model.requests.length).toBeGreaterThan(0), WAIT);
  for (const columns of [44, 90, 30, 120]) {
    await batch.pane.resize(columns, 30);
    await sleep(400);
    const screen = await batch.pane.read();
    // One progress bar, and no more rows than steps at the same time.
    expect(screen.match(/\d\/3/g), screen).toHaveLength(1);
    expect(screen.match(/^→ step-/gm)?.length, screen).toBeLessThanOrEqual(2);
  }
  // A narrower terminal wraps the drawn rows, and tmux at once moves as many rows as that adds out of the screen: one for the
  // bar at 44 columns, two at 30, more if a row of a step is wrapped, too. No sequence reaches rows of the history, but the
  // one that clears all of it, with the user's own lines. A view that miscounts its rows would leave some with each frame.
  const all = await batch.pane.readHistory();
  expect(all.match(/^→ step-/gm)?.length, all).toBeLessThanOrEqual(2 + 6);
  await expectEndInOrder(batch, async (pid) => void process.kill(pid, 'SIGTERM'));
}

async function expectEndInOrder(
  batch: TerminalBatch,
  end: (pid: number) => Promise<void>,
): Promise<void> {
  const pid = await batch.pane.pid();
  await end(pid);
  const report = await batch.report();
  expect(report).toMatchObject({ outcome: 'stopped', stop: { reason: 'cancelled' } });
  expect(report.counts).toMatchObject({ failed: 0, skipped: 0 });
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), WAIT);
  await expectNothingLeft(batch);
}
