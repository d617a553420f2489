import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addBatchCommand } from '../../src/cli/batch.js';
import { runCommandHere } from '../fixtures/cli/in-process.js';
import { makeFolder, program, until } from '../fixtures/cli/support.js';

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
    run('--trust-workspace', '--transport', 'headless', '--cli-path', program(cli), ...flags);
  return { out, run, runWith };
}

const eventsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the command batch', () => {
  it('prints the checked plan and runs nothing with --dry-run', async () => {
    const { run, out } = openLab();
    const text = await run('--dry-run');
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain('second');
    const json = await run('--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'greetings' });
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

  it('refuses a limit that is not a number', async () => {
    const { stderr } = await openLab().run('--concurrency', 'many');
    expect(stderr).toContain('Give a number.');
  });
});
