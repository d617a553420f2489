import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startBatch } from './batch-command.js';
import { findLabProcesses, type Lab, openLab, read } from './support.js';
import { writing } from './tool-calls.js';

const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace', '--max-cli-attempts', '1'];

const run = (lab: Lab, ...args: string[]) => startBatch(lab, args).done;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
}

const PLAN = `
name: tour
concurrency: 3
defaults:
  isolation: worktree
steps:
  - id: base
    prompt: base
  - id: limited
    prompt: limited
  - id: mended
    prompt: mended
    expects: { files: mended.txt }
    repair: 1
  - id: convert
    for: { name: [one, two] }
    prompt: convert {{name}}
  - id: last
    prompt: last after {{steps.base.text}}
    needs: [convert]
`;

describe('gemini-cli-provider batch', () => {
  it('runs a plan on the real CLI, writes the report, and a second run repeats no step', async () => {
    const limited = { status: 429, message: 'Slow down.', retryDelay: '1s' };
    const lab = await openLab(
      [
        { prompt: 'base', turns: [writing('base.txt', 'b\n'), { text: 'the base' }] },
        {
          prompt: 'limited',
          turns: [
            { attempts: [{ error: limited }, writing('limited.txt', 'l\n')] },
            { text: 'at last' },
          ],
        },
        {
          prompt: /^mended$/,
          turns: [{ text: 'forgot it' }],
        },
        { prompt: 'mended.txt', turns: [writing('mended.txt', 'm\n'), { text: 'mended' }] },
        { prompt: 'convert one', turns: [writing('one.txt', '1\n'), { text: 'one' }] },
        { prompt: 'convert two', turns: [writing('two.txt', '2\n'), { text: 'two' }] },
        { prompt: 'last', turns: [writing('last.txt', 'z\n'), { text: 'done' }] },
      ].map(({ prompt, turns }) => ({ prompt: startsWith(prompt), turns })),
      { files: { 'plan.yaml': PLAN, 'README.md': 'hello\n' } },
    );
    const git = (...args: string[]) => execFileSync('git', ['-C', lab.workspace, ...args]);
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');

    const dry = await run(lab, 'plan.yaml', '--dry-run', ...flags);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain('convert[…] × 2: run (new)');
    expect(lab.model.requests).toEqual([]);
    expect(existsSync(join(lab.workspace, 'out'))).toBe(false);

    const first = await run(lab, 'plan.yaml', '--out', 'out', ...flags);
    expect(first.stderr).toMatch(/↻ limited RATE_LIMITED/);
    expect(first.stdout).toMatch(/^succeeded: 6 steps · 6 files/);
    expect(first.code).toBe(0);
    const out = join(lab.workspace, 'out');
    const report = JSON.parse(read(out, 'report.json'));
    const files = ['base', 'last', 'limited', 'mended', 'one', 'two'].map((name) => `${name}.txt`);
    expect(report.files.map(({ path, kind }: Record<string, string>) => [path, kind])).toEqual(
      files.map((file) => [file, 'created']),
    );
    for (const file of files) expect(existsSync(join(lab.workspace, file))).toBe(true);
    const steps = Object.fromEntries(report.steps.map((step: { id: string }) => [step.id, step]));
    expect(steps['limited'].attempts).toMatchObject([
      { outcome: 'RATE_LIMITED' },
      { outcome: 'succeeded' },
    ]);
    expect(steps['mended'].attempts).toMatchObject([{ outcome: 'succeeded', repairs: 1 }]);
    expect(steps['last'].prompt).toBe('last after the base');
    expect(JSON.parse(read(out, 'manifest.json')).files).toEqual(report.files);
    expect(read(out, 'report.html')).toContain('<html');
    expect(readdirSync(join(out, 'steps'))).toHaveLength(6);
    expect(git('worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
    expect(findLabProcesses(lab)).toEqual([]);

    const again = await run(lab, 'report', 'out', '--json');
    expect(JSON.parse(again.stdout)).toEqual(report);
    expect(JSON.parse(read(out, 'report.json'))).toEqual(report);

    const requests = lab.model.requests.length;
    const second = await run(lab, 'plan.yaml', '--out', 'out', '--json', ...flags);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const events = second.stdout.trim().split('\n').map(parse);
    expect(events[0]).toMatchObject({ type: 'batch-started', name: 'tour', isFresh: false });
    expect(events.filter(({ type }) => type === 'step-finished')).toHaveLength(6);
    expect(events.at(-1)).toMatchObject({
      type: 'batch-finished',
      report: { outcome: 'succeeded' },
    });
    expect(lab.model.requests).toHaveLength(requests);
  });

  it('continues with the open steps after it was stopped, cancelled or killed', async () => {
    const stall = { text: 'wait', endless: 'stall' } as const;
    const plan = ['a', 'b'].map((id) => JSON.stringify({ id, prompt: id })).join('\n');
    const lab = await openLab(
      [
        { prompt: startsWith('a'), turns: [{ text: 'quick', latencyMs: 1000 }] },
        { prompt: startsWith('b'), turns: [{ attempts: [stall, stall, { text: 'at last' }] }] },
      ],
      { files: { 'plan.jsonl': `${plan}\n` } },
    );
    const args = ['plan.jsonl', '--out', 'out', '--concurrency', '1', '--json', ...flags];
    const asked = (times: number) => until(() => lab.model.requests.length >= times);

    const stopped = startBatch(lab, args);
    await asked(1);
    stopped.child.kill('SIGINT');
    const first = await stopped.done;
    expect(first.code).toBe(130);
    expect(lastReport(first.stdout)).toMatchObject({
      outcome: 'stopped',
      stop: { reason: 'interrupted' },
      steps: [{ state: 'succeeded' }, { state: 'pending' }],
    });

    const cancelled = startBatch(lab, args);
    await asked(2);
    const refused = await run(lab, ...args);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain(`process ${cancelled.child.pid}, started`);
    expect(refused.stderr).toBe('');
    cancelled.child.kill('SIGINT');
    await sleep(300);
    cancelled.child.kill('SIGINT');
    const second = await cancelled.done;
    expect(second.code).toBe(130);
    expect(lastReport(second.stdout)).toMatchObject({
      steps: [{ state: 'succeeded', reused: true }, { state: 'cancelled' }],
    });
    expect(findLabProcesses(lab)).toEqual([]);

    const killed = startBatch(lab, args);
    await asked(3);
    killed.child.kill('SIGKILL');
    await killed.done;
    await until(() => findLabProcesses(lab).length === 0);

    const last = await run(lab, ...args);
    expect(last.code).toBe(0);
    expect(lastReport(last.stdout)).toMatchObject({
      outcome: 'succeeded',
      steps: [
        { attempts: [{ outcome: 'succeeded' }] },
        {
          text: 'at last',
          attempts: [
            { outcome: 'CANCELLED' },
            { outcome: 'interrupted' },
            { outcome: 'succeeded' },
          ],
        },
      ],
    });
    expect(lab.model.requests).toHaveLength(4);
  });

  it('exits with a code for the kind of the failure', async () => {
    const lab = await openLab([{ error: { status: 401, message: 'Who are you?' } }], {
      files: { 'bad.yaml': 'steps: [{ id: a }]\n', 'plan.yaml': 'steps: [{ id: a, prompt: x }]\n' },
    });
    const bad = await run(lab, 'bad.yaml');
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('bad.yaml');
    expect((await run(lab, 'report', 'nowhere')).code).toBe(2);
    const login = await run(lab, 'plan.yaml', ...flags);
    expect(login.code).toBe(3);
    expect(login.stdout).toContain('1 failed');
    expect(existsSync(join(lab.workspace, 'plan.batch', 'report.html'))).toBe(true);
  });
});

function startsWith(start: string | RegExp) {
  if (typeof start !== 'string') return start;
  return new RegExp(start === 'mended.txt' ? 'mended\\.txt' : `^${start}`);
}

function parse(line: string): Record<string, unknown> {
  return JSON.parse(line);
}

function lastReport(stdout: string): unknown {
  return parse(stdout.trim().split('\n').at(-1) ?? '{}')['report'];
}
