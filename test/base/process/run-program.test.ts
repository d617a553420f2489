import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ProgramRequest, runProgram } from '../../../src/base/process/run-program.js';
import { failureOf, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

function run(script: string, more: Partial<ProgramRequest> = {}) {
  return runProgram({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: makeFolder(),
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 20_000,
    outputBytes: 1000,
    ...more,
  });
}

describe('runProgram', () => {
  it('gives the program no stdin and returns its stdout and stderr', async () => {
    const exit = await run('cat; echo out; echo err >&2; exit 5');
    expect(exit).toMatchObject({ exitCode: 5, isTimedOut: false });
    expect(exit.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('keeps the end of a long output', async () => {
    const { output } = await run('seq 100000');
    expect(output).toMatch(/^\d+\n/);
    expect(output).toMatch(/99999\n100000\n$/);
    expect(output.length).toBeLessThanOrEqual(1000);
  });

  it('ends the program and its children after the timeout', async () => {
    const exit = await run('setsid sleep 60 & echo $!; sleep 60', { timeoutMs: 500 });
    expect(exit).toMatchObject({ isTimedOut: true });
    expect(isAlive(Number(exit.output))).toBe(false);
  });

  it('ends children that the program left behind', async () => {
    const { exitCode, output } = await run('sleep 60 & echo $!');
    expect(exitCode).toBe(0);
    expect(isAlive(Number(output))).toBe(false);
  });

  it('ends the program at an abort and throws the reason', async () => {
    const cwd = makeFolder();
    const pid = () => Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    const controller = new AbortController();
    const running = failureOf(() => {
      return run('echo $$ > pid.new; mv pid.new pid; sleep 60', { cwd, signal: controller.signal });
    });
    await until(() => {
      try {
        return pid() > 0;
      } catch {
        return false;
      }
    });
    controller.abort('enough');
    expect(await running).toBe('enough');
    expect(isAlive(pid())).toBe(false);
    expect(await failureOf(() => run('exit 0', { signal: controller.signal }))).toBe('enough');
  });

  it('reports ENOENT for a missing program', async () => {
    const exit = await run('', { command: 'no-such-program', args: [] });
    expect(exit).toMatchObject({ spawnErrno: 'ENOENT', isTimedOut: false, output: '' });
  });
});
