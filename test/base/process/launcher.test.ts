import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readReportedExit, reportPipe, withLauncher } from '../../../src/base/process/launcher.js';
import { readWaitStatus, subreaperLauncher } from '../../../src/base/process/subreaper.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const env = { PATH: '/no/such/folder:/bin:/usr/bin' };
const launched = { command: 'sh', args: ['-c', 'true'], cwd: '/', env, launcher: ['run', '--in'] };

describe('a launcher', () => {
  it('stands before the command', () => {
    expect(withLauncher(launched)).toEqual({
      command: 'run',
      args: ['--in', 'sh', '-c', 'true'],
    });
    expect(withLauncher({ ...launched, command: 'bin/sh' })).toMatchObject({ command: 'run' });
  });

  it.each([
    ['without a launcher', { launcher: [] }],
    ['that is not on PATH', { command: 'no-such-program' }],
    ['that is a folder', { command: '/bin' }],
  ])('is left out for a command %s', (_, given) => {
    const request = { ...launched, ...given };
    expect(withLauncher(request)).toEqual({ command: request.command, args: request.args });
  });

  it('is left out for a command that is not executable', () => {
    const folder = makeFolder({ program: 'x' });
    const request = { ...launched, command: join(folder, 'program') };
    expect(withLauncher(request)).toMatchObject({ command: join(folder, 'program') });
  });

  it('gets a pipe for its report only if it reports', () => {
    expect(reportPipe(subreaperLauncher())).toEqual(['pipe']);
    expect([reportPipe([]), reportPipe(undefined), reportPipe(['unshare'])]).toEqual([[], [], []]);
  });

  it('reports the exit of its program, in any pieces', async () => {
    const pipe = new PassThrough();
    const exit = readReportedExit(pipe);
    for (const piece of ['17', '92', '\n']) pipe.write(piece);
    expect(await exit).toEqual({ exitCode: 7, signal: undefined });
    const killed = new PassThrough();
    const signal = readReportedExit(killed);
    killed.write('9\n');
    expect(await signal).toEqual({ exitCode: undefined, signal: 'SIGKILL' });
  });

  it('reports a status in the form of wait', () => {
    expect([readWaitStatus('0\n'), readWaitStatus('512\n'), readWaitStatus('15\n')]).toEqual([
      { exitCode: 0 },
      { exitCode: 2 },
      { signal: 15 },
    ]);
    expect([readWaitStatus(''), readWaitStatus('12'), readWaitStatus('x\n')]).toEqual(
      Array(3).fill(undefined),
    );
  });
});
