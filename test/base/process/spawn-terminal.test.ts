import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnTerminal, type TerminalRequest } from '../../../src/base/process/spawn-terminal.js';
import { isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

function start(script: string, more: Partial<TerminalRequest> = {}) {
  const output: string[] = [];
  const terminal = spawnTerminal({
    processTag: randomUUID(),
    command: '/bin/sh',
    args: ['-c', script],
    cwd: makeFolder(),
    env: { PATH: process.env['PATH'] ?? '' },
    onOutput: (chunk) => void output.push(String(chunk)),
    ...more,
  });
  onTestFinished(() => terminal.kill());
  return { terminal, text: () => output.join('') };
}

describe('a command of an agent', () => {
  it('has no stdin, and its stdout and stderr are reported', async () => {
    const { terminal, text } = start('cat; echo out; echo err >&2; exit 5');
    expect(await terminal.exited).toEqual({
      exitCode: 5,
      signal: undefined,
      spawnErrno: undefined,
    });
    expect(text().split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('is reported with its whole output, and exits even if children hold the output open', async () => {
    const { terminal, text } = start('head -c 300000 /dev/zero | tr "\\0" x');
    await terminal.exited;
    expect(text()).toHaveLength(300_000);
    const { terminal: parent, text: pid } = start('sleep 30 & echo $!');
    expect(await parent.exited).toMatchObject({ exitCode: 0 });
    await parent.kill();
    expect(isAlive(Number(pid()))).toBe(false);
  });

  it('is ended with all its children', async () => {
    const { terminal, text } = start('setsid sleep 30 & echo $!; sleep 30');
    await until(() => text().includes('\n'));
    await terminal.kill();
    expect(isAlive(Number(text()))).toBe(false);
    expect(await terminal.exited).toMatchObject({ signal: 'SIGTERM' });
    await terminal.kill();
  });

  it.each([
    [{ command: '/no/such/program' }, 'ENOENT'],
    [{ cwd: '/no/such/folder' }, 'ENOENT'],
    [{ command: '/etc/passwd' }, 'EACCES'],
  ])('reports the errno if it cannot be started (%j)', async (more, spawnErrno) => {
    expect(await start('true', more).terminal.exited).toMatchObject({ spawnErrno });
  });
});
