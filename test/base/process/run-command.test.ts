import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { captureCommand, runCommand } from '../../../src/base/process/run-command.js';

const shell = (script: string, more: object = {}) => {
  return runCommand({ command: 'sh', args: ['-c', script], timeoutMs: 5000, ...more });
};

describe('a small command', () => {
  it('gives its stdout to the byte', async () => {
    expect(await shell(`printf 'a\\0\\377\\n\\n'; echo noise >&2`)).toEqual(
      Buffer.from([0x61, 0, 0xff, 0x0a, 0x0a]),
    );
  });

  it('is ended by an abort', async () => {
    const started = Date.now();
    expect(await shell('exec sleep 5', { signal: AbortSignal.timeout(50) })).toBeUndefined();
    expect(Date.now() - started).toBeLessThan(4_000);
  });

  it('that prints nothing gives nothing, which is not a failure', async () => {
    expect(await shell('true')).toEqual(Buffer.alloc(0));
  });

  it('gets the folder and the variables it was given beside our own', async () => {
    const cwd = realpathSync(tmpdir());
    const said = await shell('pwd; echo "$GREETING"; test -n "$PATH"', {
      cwd,
      env: { GREETING: 'hi' },
    });
    expect(String(said)).toBe(`${cwd}\nhi\n`);
  });

  it('gets no stdin', async () => {
    expect(String(await shell('cat; echo end'))).toBe('end\n');
  });

  it.each([
    ['fails', 'echo x; exit 3', 5000],
    ['is killed', 'echo x; kill -9 $$', 5000],
    ['takes too long', 'exec sleep 30', 50],
  ])('that %s gives undefined', async (_what, script, timeoutMs) => {
    expect(await shell(script, { timeoutMs })).toBeUndefined();
  });

  it('that does not exist gives undefined', async () => {
    expect(
      await runCommand({ command: 'no-such-command', args: [], timeoutMs: 5000 }),
    ).toBeUndefined();
  });
});

describe('a command that may fail', () => {
  const capture = (script: string, more: object = {}) => {
    return captureCommand({ command: 'sh', args: ['-c', script], timeoutMs: 5000, ...more });
  };

  it('tells how it ended and what it said', async () => {
    expect(await capture('echo out; echo why >&2; exit 3')).toEqual({
      exitCode: 3,
      stdout: Buffer.from('out\n'),
      stderrTail: 'why\n',
      errno: undefined,
    });
  });

  it('has no exit code where it was killed or could not be started', async () => {
    expect(await capture('kill -9 $$')).toMatchObject({ exitCode: undefined });
    expect(await captureCommand({ command: 'no-such-command', args: [], timeoutMs: 5000 })).toEqual(
      { exitCode: undefined, stdout: Buffer.alloc(0), stderrTail: '', errno: 'ENOENT' },
    );
  });

  it('keeps the end of a long complaint', async () => {
    const { stderrTail } = await capture('seq 1 20000 >&2; exit 1');
    expect(stderrTail).toMatch(/19999\n20000\n$/);
    expect(stderrTail.length).toBeLessThan(5_000);
  });

  it('gets stdin to the byte, and our environment only where it may', async () => {
    const stdin = Buffer.from([0, 0xff, 0x0a]);
    expect((await capture('cat', { stdin })).stdout).toEqual(stdin);
    const alone = await capture('echo "$HOME$GREETING"', {
      inheritEnv: false,
      env: { GREETING: 'hi', PATH: '/usr/bin:/bin' },
    });
    expect(String(alone.stdout)).toBe('hi\n');
  });
});
