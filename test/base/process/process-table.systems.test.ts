import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hasEnvironmentEntry,
  isInForeground,
  isInKernel,
  isProcessAlive,
  isSameProcess,
  isStopped,
  readCpuMs,
  readLocksLimit,
  readProcessTable,
  readStartTime,
} from '../../../src/base/process/process-table.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { setPlatform } from './set-platform.js';

/** Replaces `ps` by a shell script, and makes this system one without `/proc`. */
function replacePs(script: string): void {
  const folder = makeFolder({ 'ps*': `#!/bin/sh\n${script}\n` });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  setPlatform('darwin');
}

const LINES = [
  '  7     1     7     0 Ss   Wed Nov 18 22:30:14 2026',
  ' 70     7    70     0 Z+   Wed Nov 18 22:30:15 2026',
  '701     7    70     3 R+   Wed Nov  8 02:30:16 2026',
  '',
];

describe('the process table of macOS', () => {
  it('is that of ps, without zombies and empty lines', () => {
    replacePs(`cat <<'END'\n${LINES.join('\n')}\nEND`);
    expect(readProcessTable()).toEqual([
      {
        pid: 7,
        parentPid: 1,
        groupId: 7,
        sessionId: 0,
        startTime: 'Wed Nov 18 22:30:14 2026',
      },
      {
        pid: 701,
        parentPid: 7,
        groupId: 70,
        sessionId: 3,
        startTime: 'Wed Nov 8 02:30:16 2026',
      },
    ]);
    expect(isProcessAlive(701)).toBe(true);
    expect(isProcessAlive(70)).toBe(false);
  });

  it('is asked again when a signal has ended ps, and is empty when that goes on', () => {
    const once = makeFolder();
    replacePs(
      `if [ -e ${once}/asked ]; then echo '${LINES[0]}'; else touch ${once}/asked; kill -INT $$; fi`,
    );
    expect(readProcessTable().map(({ pid }) => pid)).toEqual([7]);
    replacePs(`echo x >> ${once}/tries; kill -INT $$`);
    expect(readProcessTable()).toEqual([]);
    expect(readFileSync(join(once, 'tries'), 'utf8')).toBe('x\nx\nx\n');
  });

  it.each([
    ['S+   ttys001', true],
    ['T    ttys001', false],
    ['S    ttys001', false],
    ['Z    ttys001', false],
    ['Ss   ??', true],
    ['Z    ??', false],
    ['', false],
  ])('knows from ps (%j) whether a process has the keys of its terminal: %s', (row, wanted) => {
    replacePs(`echo '${row}'`);
    expect(isInForeground(7)).toBe(wanted);
  });

  it('has no facts of /proc: the pid alone has to do', () => {
    replacePs('exit 1');
    const { pid } = process;
    expect(readProcessTable()).toEqual([]);
    expect(readStartTime(pid)).toBeUndefined();
    expect(isSameProcess({ pid, startTime: 'another' })).toBe(true);
    expect(isProcessAlive(pid, 7)).toBe(false);
    expect([isInKernel(pid), isStopped(pid)]).toEqual([false, false]);
    expect(hasEnvironmentEntry(pid, `PATH=${process.env['PATH']}`)).toBe(false);
    expect([readLocksLimit(pid), readCpuMs(pid)]).toEqual([undefined, undefined]);
  });
});

it('the process table of Windows is empty, and a process is asked whether it is alive', () => {
  setPlatform('win32');
  expect(readProcessTable()).toEqual([]);
  expect(isProcessAlive(process.pid)).toBe(true);
  expect(isProcessAlive(2 ** 22 + 1)).toBe(false);
  expect([isInForeground(process.pid), isInForeground(2 ** 22 + 1)]).toEqual([true, false]);
});

it('a process is the same as long as its pid and its start time are', () => {
  const { pid } = process;
  const startTime = String(readStartTime(pid));
  expect(isSameProcess({ pid, startTime })).toBe(true);
  expect(isSameProcess({ pid, startTime: `${startTime}0` })).toBe(false);
  expect(isProcessAlive(pid, Number(startTime))).toBe(true);
  expect(isProcessAlive(pid, Number(startTime) + 1)).toBe(false);
  expect([isInKernel(pid), isStopped(pid)]).toEqual([false, false]);
  expect(readLocksLimit(pid)).toMatch(/^(?:\d+|unlimited)$/);
  expect(readLocksLimit(2 ** 30)).toBeUndefined();
});
