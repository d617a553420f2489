import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { followBatch } from '../../../src/batch/run/follow-batch.js';
import { rebuildReports } from '../../../src/batch/run/rebuild-reports.js';
import { addBatchCommand } from '../../../src/cli/batch/batch.js';
import { collectStatus } from '../../../src/cli/batch/collect-status.js';
import { describeStatus } from '../../../src/cli/batch/describe-status.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder, program, runMain, until } from '../../fixtures/cli/support.js';

const PLAN = `
name: greetings
concurrency: 1
steps:
  - { id: first, prompt: say one }
  - { id: second, prompt: 'say two', needs: [first] }
`;

function openLab() {
  const folder = makeFolder({ 'plan.yaml': PLAN });
  const out = join(folder, 'out');
  const run = (...flags: string[]) =>
    runCommandHere(addBatchCommand, ['batch', join(folder, 'plan.yaml'), '--out', out, ...flags]);
  const runWith = (cli: string, ...flags: string[]) =>
    run(
      ...['--trust-workspace', '--transport', 'headless', '--cli-path', program(cli)],
      ...['--env', 'GEMINI_API_KEY=key', ...flags],
    );
  return { out, folder, run, runWith };
}

const eventsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the command batch', () => {
  it('prints the checked plan and runs nothing with --dry-run', async () => {
    const { runWith, out } = openLab();
    const text = await runWith('answering.mjs', '--dry-run');
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/2 steps · 2 run[\s\S]*second: run \(new\)[\s\S]*✓ Preflight/);
    const json = await runWith('answering.mjs', '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      name: 'greetings',
      outlook: { counts: { run: 2 } },
      preflight: { ok: true, problems: [] },
    });
    const verbose = await runWith('answering.mjs', '--dry-run', '--verbose');
    expect(verbose.stdout).toContain('next: run (new)');
    expect(existsSync(out)).toBe(false);
  });

  it('runs a plan, prints a line for each step and the report', async () => {
    const { runWith, out } = openLab();
    const { code, stdout, stderr } = await runWith('answering.mjs');
    expect(code).toBe(0);
    expect(stderr).toMatch(/first[\s\S]*second/);
    expect(stdout).toContain(join(out, 'report.html'));
    expect(existsSync(join(out, 'report.json'))).toBe(true);
  });

  it('reads the plan from stdin, and resumes with the same plan', async () => {
    const cwd = makeFolder({ 'note.md': 'say three' });
    const input = `${PLAN}  - { id: third, promptFile: note.md }\n`;
    const cli = ['--transport', 'headless', '--cli-path', program('answering.mjs')];
    const args = ['batch', '-', '--trust-workspace', ...cli, '--env', 'GEMINI_API_KEY=key'];
    const env = { XDG_STATE_HOME: makeFolder() };
    const first = await runMain(args, { cwd, input, env });
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(join(cwd, 'stdin.batch/report.html'));
    const again = await runMain([...args, '--dry-run'], { cwd, input, env });
    expect(again.stdout).toMatch(/3 steps · 3 reuse\n/);
    const wrong = await runMain(args, { cwd, input: 'steps: [{ id: a, promt: x }]', env });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('stdin.yaml:1 steps[0].promt = "x"');
  });

  it('prints every event as a JSON line, and rebuilds the report from the ledger', async () => {
    const { runWith, out } = openLab();
    const { code, stdout } = await runWith('answering.mjs', '--json');
    expect(code).toBe(0);
    const types = eventsOf(stdout).map(({ type }) => type);
    expect(types[0]).toBe('batch-started');
    expect(types).toContain('step-started');
    const report = await runCommandHere(addBatchCommand, ['batch', 'report', out]);
    expect(report.stdout).toContain(join(out, 'report.html'));
  });

  it('stops at the first Ctrl-C, cancels at the second, and exits with 130', async () => {
    const { runWith } = openLab();
    const before = process.listenerCount('SIGINT');
    const running = runWith('waiting.mjs', '--json');
    const { calls } = vi.mocked(process.stdout.write).mock;
    await until(() => calls.some(([chunk]) => String(chunk).includes('step-progress')));
    const interrupt = process.listeners('SIGINT').at(-1);
    interrupt?.('SIGINT');
    interrupt?.('SIGINT');
    const { code, stdout } = await running;
    expect(code).toBe(130);
    expect(stdout).toContain('CANCELLED');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('tells with --dry-run what is reused and why the rest runs again, and writes nothing', async () => {
    const { runWith, out, folder } = openLab();
    await runWith('answering.mjs');
    const before = readFileSync(join(out, 'report.json'), 'utf8');
    const reused = await runWith('answering.mjs', '--dry-run');
    expect(reused.stdout).toMatch(/2 steps · 2 reuse\n[\s\S]*first: reuse\nsecond: reuse\n/);
    writeFileSync(join(folder, 'plan.yaml'), PLAN.replace('say one', 'say three'));
    const changed = await runWith('answering.mjs', '--dry-run');
    expect(changed.stdout).toMatch(
      /first: run \(prompt changed\)\nsecond: may run \(depends on first\)/,
    );
    const flagged = await runWith('answering.mjs', '--dry-run', '--model', 'other');
    expect(flagged.stdout).toContain('second: run (configuration changed: model)');
    expect(readFileSync(join(out, 'report.json'), 'utf8')).toBe(before);
    const { stdout } = await runWith('answering.mjs', '--json');
    const started = eventsOf(stdout).filter(({ type }) => type === 'step-started');
    expect(started).toMatchObject([
      { stepId: 'first', attempt: 2, reason: 'prompt' },
      { stepId: 'second', attempt: 2, reason: 'needs' },
    ]);
  });

  it('ends before the first step if no step can run, with one error for each cause', async () => {
    const { run, out } = openLab();
    const flags = ['--env', 'GEMINI_CLI_HOME=/nowhere', '--cli-path', '/nowhere/gemini'];
    const { code, stderr, stdout } = await run('--isolation', 'worktree', ...flags);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    for (const cause of ['CLI_NOT_FOUND', 'AUTH', 'UNTRUSTED_WORKSPACE', 'INVALID_CONFIG']) {
      expect(stderr).toContain(`${cause} `);
    }
    expect(stderr).not.toContain('→ first');
    const json = await run('--json', '--trust-workspace', ...flags);
    expect(eventsOf(json.stdout).at(-1)).toMatchObject({
      ok: false,
      error: { code: 'CLI_NOT_FOUND' },
      causes: [{ code: 'CLI_NOT_FOUND' }, { code: 'AUTH' }],
    });
    const dry = await run('--dry-run', ...flags);
    expect(dry.code).toBe(3);
    expect(dry.stdout).toContain('the batch would end before its first step');
    const status = await runCommandHere(addBatchCommand, ['batch', 'status', out]);
    expect(status.stdout).toMatch(
      /not running: stopped[\s\S]*2 pending[\s\S]*Stopped: No step can run/,
    );
  });

  it('runs a part of the plan, and the outcome is that of the part', async () => {
    const { runWith, out } = openLab();
    const only = await runWith('answering.mjs', '--only', 'first', '--json');
    expect(only.code).toBe(0);
    const { report } = eventsOf(only.stdout).at(-1);
    expect(report).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 1, skipped: 1 } });
    expect(report.steps[1]).toMatchObject({ state: 'skipped', skip: { reason: 'selection' } });
    const failing = await runWith('garbage.mjs', '--from', 'second', '--retries', '0', '--json');
    expect(failing.code).not.toBe(0);
    const retried = await runWith('answering.mjs', '--retry-failed', '--json');
    const started = eventsOf(retried.stdout).filter(({ type }) => type === 'step-started');
    expect(started).toMatchObject([{ stepId: 'second', reason: 'failed' }]);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).outcome).toBe('succeeded');
  });

  it('shows a running batch to status, watch and report from elsewhere', async () => {
    const { runWith, out } = openLab();
    const running = runWith('waiting.mjs', '--json');
    const { calls } = vi.mocked(process.stdout.write).mock;
    await until(() => calls.some(([chunk]) => String(chunk).includes('step-progress')));
    const { readBatch } = await import('../../../src/batch/run/read-batch.js');
    const read = await readBatch(out);
    const status = await collectStatus(read, Date.now());
    expect(status).toMatchObject({
      state: 'running',
      outcome: 'running',
      owner: { pid: process.pid },
      counts: { running: 1, pending: 1 },
      running: [{ id: 'first', state: 'running', attempt: 1 }],
    });
    const text = describeStatus(status, PLAIN, Date.now());
    expect(text).toMatch(/greetings: running for .*process \d+[\s\S]*→ first/);
    const { report } = await rebuildReports(out);
    expect(report.steps[0]?.attempts).toMatchObject([{ outcome: 'running' }]);
    const watched: string[] = [];
    const following = (async () => {
      for await (const { event } of followBatch(read.folders, new AbortController().signal)) {
        watched.push(event.type);
      }
    })();
    await until(() => watched.includes('step-started'));
    const interrupt = process.listeners('SIGINT').at(-1);
    interrupt?.('SIGINT');
    interrupt?.('SIGINT');
    await running;
    await following;
    expect(watched[0]).toBe('batch-started');
    expect(watched).toContain('stopping');
    expect(watched.at(-1)).toBe('batch-finished');
    const ended = await runCommandHere(addBatchCommand, ['batch', 'status', out]);
    expect(ended.stdout).toContain('not running: stopped');
    const after = await runCommandHere(addBatchCommand, ['batch', 'watch', out]);
    expect(after.code).toBe(11);
    expect(after.stdout).toContain('stopped');
  });

  it('prints a wrong plan once: as JSON on stdout, or as a line for each problem', async () => {
    const folder = makeFolder({ 'wrong.yaml': 'steps:\n  - { id: a }\n' });
    const run = (...flags: string[]) =>
      runCommandHere(addBatchCommand, ['batch', join(folder, 'wrong.yaml'), ...flags]);
    const json = await run('--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      error: { problems: [{ line: 2 }] },
    });
    const { stderr } = await run();
    expect(stderr.match(/promptFile instead/g)).toHaveLength(1);
    expect(stderr).not.toContain('retryable');
    expect(stderr).not.toContain('`problems`');
  });

  it('tells what dooms a batch without words of the API, and that the plan wins over flags', async () => {
    const plan = 'steps:\n  - { id: a, prompt: p, isolation: worktree }\n';
    const folder = makeFolder({ 'doomed.yaml': plan });
    const flags = ['--trust-workspace', '--cli-path', program('answering.mjs')];
    const env = ['--env', 'GEMINI_API_KEY=key', '--env', `GIT_CEILING_DIRECTORIES=${folder}`];
    const run = (...more: string[]) => {
      const args = [join(folder, 'doomed.yaml'), '--out', join(folder, 'out'), ...flags, ...env];
      return runCommandHere(addBatchCommand, ['batch', ...args, ...more]);
    };
    const remark = 'Flags apply to steps for which the plan does not set the same key.';
    const { stdout } = await run('--dry-run');
    expect(stdout).toContain('needs a git repository');
    expect(stdout).toContain(remark);
    const { stderr } = await run();
    expect(stderr).toContain('needs a git repository');
    expect(stderr).toContain(remark);
    expect(stderr).not.toContain('retryable');
  });

  it('refuses flags that contradict each other', async () => {
    expect((await openLab().run('--fresh', '--resume')).stderr).toContain('cannot be used with');
    expect((await openLab().run('--fresh', '--retry-failed')).stderr).toContain('cannot be used');
  });

  it('lists the flags of a command of a batch without those of the batch itself', async () => {
    const main = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
    const help = execFileSync(process.execPath, [main, 'batch', 'status', '--help']).toString();
    expect(help).toContain('--json');
    expect(help).toContain('--version');
    expect(help).not.toContain('--concurrency');
  });

  it('has the defaults of a batch in its help, in groups', async () => {
    const { stdout } = await runCommandHere(addBatchCommand, ['batch', '--help']);
    expect(stdout).toMatch(/Usage:.* batch \[options\] <plan>/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('headless or acp (default: acp');
    for (const flag of ['--repair', '--cwd', '--isolation', '--retries', '--only']) {
      expect(stdout).toContain(`${flag} <`);
    }
    expect(stdout).toContain('Which steps run:');
    expect(stdout).toContain('Limits and order:');
    // What concerns the batch as a whole is no setting of its steps.
    const [whole = '', ofSteps = ''] = stdout.split(
      'Settings of steps that the plan does not set:',
    );
    for (const flag of ['--merge-order', '--junit', '--github-annotations', '--on-finish']) {
      expect([whole.includes(flag), ofSteps.includes(`  ${flag}`)]).toEqual([true, false]);
    }
  });

  it('refuses a limit that is not a number', async () => {
    const { stderr } = await openLab().run('--concurrency', 'many');
    expect(stderr).toContain('Give a number.');
  });
});
