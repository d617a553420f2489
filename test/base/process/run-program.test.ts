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

describe('a program that is run to its end', () => {
  it('has no input, and is heard on both of its outputs', async () => {
    const end = await run('cat; echo out; echo err >&2; exit 5');
    expect(end).toMatchObject({ exitCode: 5, isTimedOut: false });
    expect(end.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('is remembered by the end of what it printed', async () => {
    const { output } = await run('seq 100000');
    expect(output).toMatch(/^\d+\n/);
    expect(output).toMatch(/99999\n100000\n$/);
    expect(output.length).toBeLessThanOrEqual(1000);
  });

  it('is ended with all that it has started when its time is over', async () => {
    const end = await run('setsid sleep 60 & echo $!; sleep 60', { timeoutMs: 500 });
    expect(end).toMatchObject({ isTimedOut: true });
    expect(isAlive(Number(end.output))).toBe(false);
  });

  it('leaves nobody behind', async () => {
    const { exitCode, output } = await run('sleep 60 & echo $!');
    expect(exitCode).toBe(0);
    expect(isAlive(Number(output))).toBe(false);
  });

  it('is ended by a signal, whose reason is thrown', async () => {
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

  it('that is not there says so', async () => {
    const end = await run('', { command: 'no-such-program', args: [] });
    expect(end).toMatchObject({ spawnErrno: 'ENOENT', isTimedOut: false, output: '' });
  });
});
