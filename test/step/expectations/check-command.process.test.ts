import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/base/errors/redact.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { checkCommand } from '../../../src/step/expectations/check-command.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

function check(
  command: Parameters<typeof checkCommand>[0],
  { workingDir = makeFolder(), signal }: { workingDir?: string; signal?: AbortSignal } = {},
) {
  const env = { PATH: process.env['PATH'] ?? '' };
  const redactor = createRedactor(['planted-secret']);
  return checkCommand(command, { workingDir, env, redactor, signal });
}
const sh = (script: string, timeout?: number) => ({ command: 'sh', args: ['-c', script], timeout });

describe('a command that must exit with 0', () => {
  it('is met if it does so in the working directory', async () => {
    const workingDir = makeFolder({ 'a.txt': '' });
    expect(await check('test -f a.txt', { workingDir })).toEqual([]);
    expect(await check({ command: 'test', args: ['-f', 'a.txt'] }, { workingDir })).toEqual([]);
  });

  it('is reported with the end of its output, without colours and secrets', async () => {
    const script = "printf '\\033[31mbad planted-secret\\033[0m\\n' >&2; echo and more; exit 3";
    const [missing] = await check(sh(script));
    expect(missing).toMatchObject({
      kind: 'command',
      message: expect.stringMatching(/^`sh -c ".*` exited with 3$/),
    });
    expect(missing?.detail?.split('\n').sort()).toEqual(['and more', 'bad [redacted]']);
  });

  it('names the signal that has ended it from outside', async () => {
    expect(await check(sh('kill -TERM $$'))).toMatchObject([{ signal: 'SIGTERM' }]);
    expect(await check(sh('exit 130'))).toMatchObject([{ signal: 'SIGINT' }]);
    const [failed] = await check(sh('exit 3'));
    expect(failed).not.toHaveProperty('signal');
    const [late] = await check(sh('sleep 60', 0.2));
    expect(late?.message).toContain('did not exit within');
    expect(late).not.toHaveProperty('signal');
  });

  it('is reported with at most 4,000 characters, and no secret is cut', async () => {
    const [missing] = await check(sh('for i in $(seq 2000); do echo planted-secret; done; exit 1'));
    expect(missing?.detail?.length).toBeLessThanOrEqual(4000);
    expect(missing?.detail).not.toContain('secret');
  });

  it.each([
    ['is killed by a signal', sh('kill -KILL $$'), 'was killed by SIGKILL'],
    ['takes too long', sh('sleep 60', 0.2), 'did not exit within 0.2 s and was stopped'],
    [
      'is not installed',
      'no-such-program --x',
      'no-such-program was not found in node_modules/.bin',
    ],
    ['is no file', './no/such', './no/such was not found relative to the working directory'],
    ['needs a shell', 'a && b', 'has &&, which only a shell understands'],
  ])('is not met if it %s', async (_name, command, reason) => {
    expect(await check(command)).toMatchObject([
      { kind: 'command', message: expect.stringContaining(reason) },
    ]);
  });

  it('is not met if its file is not executable', async () => {
    const workingDir = makeFolder({ 'run.sh': '#!/bin/sh\n' });
    expect(await check('./run.sh', { workingDir })).toMatchObject([
      { message: '`./run.sh` could not be started: ./run.sh is not executable' },
    ]);
  });

  it('is not met if the step has removed the working directory', async () => {
    const workingDir = makeFolder();
    rmSync(workingDir, { recursive: true });
    expect(await check('true', { workingDir })).toMatchObject([
      { message: '`true` could not be started: the working directory does not exist any more' },
    ]);
  });

  it('does not start after a cancel', async () => {
    const signal = AbortSignal.abort('enough');
    expect(await failureOf(() => check('true', { signal }))).toBe('enough');
  });
});
