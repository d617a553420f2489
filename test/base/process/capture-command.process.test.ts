import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { captureCommand } from '../../../src/base/process/capture-command.js';
import { PRIVATE_VARIABLES } from '../../../src/base/process/environment.js';
import { isProcessAlive } from '../../../src/base/process/process-table.js';

const capture = (script: string, more: object = {}) => {
  return captureCommand({ command: 'sh', args: ['-c', script], timeoutMs: 5000, ...more });
};

describe('captureCommand', () => {
  it('returns stdout byte by byte', async () => {
    expect(await capture(`printf 'a\\0\\377\\n\\n'; echo noise >&2`)).toMatchObject({
      exitCode: 0,
      stdout: Buffer.from([0x61, 0, 0xff, 0x0a, 0x0a]),
    });
  });

  it('ends the command at an abort', async () => {
    const started = Date.now();
    const { exitCode } = await capture('exec sleep 5', { signal: AbortSignal.timeout(50) });
    expect(exitCode).toBeUndefined();
    expect(Date.now() - started).toBeLessThan(4_000);
  });

  it('returns an empty buffer for a command that prints nothing', async () => {
    expect(await capture('true')).toMatchObject({ exitCode: 0, stdout: Buffer.alloc(0) });
  });

  it('passes the given folder and variables, and inherits the environment', async () => {
    const cwd = realpathSync(tmpdir());
    const { exitCode, stdout } = await capture('pwd; echo "$GREETING"; test -n "$PATH"', {
      cwd,
      env: { GREETING: 'hi' },
    });
    expect(exitCode).toBe(0);
    expect(String(stdout)).toBe(`${cwd}\nhi\n`);
  });

  it('gives the command no stdin', async () => {
    const { exitCode, stdout } = await capture('cat; echo end');
    expect(exitCode).toBe(0);
    expect(String(stdout)).toBe('end\n');
  });

  it.each([
    ['fails', 'echo x; exit 3', 5000, 3],
    ['is killed', 'echo x; kill -9 $$', 5000, undefined],
    ['takes too long', 'exec sleep 30', 50, undefined],
  ])('reports the failure of a command that %s', async (_what, script, timeoutMs, code) => {
    expect((await capture(script, { timeoutMs })).exitCode).toBe(code);
  });

  it('returns no exit code for a command that does not exist', async () => {
    const missing = { command: 'no-such-command', args: [], timeoutMs: 5000 };
    expect((await captureCommand(missing)).exitCode).toBeUndefined();
  });

  it('returns exit code, stdout and stderr', async () => {
    expect(await capture('echo out; echo why >&2; exit 3')).toEqual({
      exitCode: 3,
      stdout: Buffer.from('out\n'),
      stderrTail: 'why\n',
      errno: undefined,
      signal: undefined,
      isTimedOut: false,
    });
  });

  it('returns no exit code for a command that was killed or could not be started', async () => {
    expect(await capture('kill -9 $$')).toMatchObject({ exitCode: undefined });
    const missing = { command: 'no-such-command', args: [], timeoutMs: 5000 };
    expect(await captureCommand(missing)).toMatchObject({
      exitCode: undefined,
      stdout: Buffer.alloc(0),
      stderrTail: '',
      errno: 'ENOENT',
    });
  });

  it('does not pass private variables on (claim: state-key-hidden, queue-secret-hidden)', async () => {
    for (const name of PRIVATE_VARIABLES) process.env[name] = 'the key';
    const { stdout } = await capture('env');
    for (const name of PRIVATE_VARIABLES) delete process.env[name];
    expect(String(stdout)).toContain('PATH=');
    expect(String(stdout)).not.toContain('the key');
  });

  it('keeps the end of a long stderr', async () => {
    const { stderrTail } = await capture('seq 1 20000 >&2; exit 1');
    expect(stderrTail).toMatch(/19999\n20000\n$/);
    expect(stderrTail.length).toBeLessThan(5_000);
  });

  it('passes stdin byte by byte, and the environment only with inheritEnv', async () => {
    const stdin = Buffer.from([0, 0xff, 0x0a]);
    expect((await capture('cat', { stdin })).stdout).toEqual(stdin);
    const alone = await capture('echo "$HOME$GREETING"', {
      inheritEnv: false,
      env: { GREETING: 'hi', PATH: '/usr/bin:/bin' },
    });
    expect(String(alone.stdout)).toBe('hi\n');
  });

  it('runs the command in a session of its own, out of reach of the terminal', async () => {
    const { stdout } = await capture('echo $$; cut -d" " -f5,6 /proc/$$/stat');
    const [pid, group] = String(stdout).trim().split('\n');
    expect(group).toBe(`${pid} ${pid}`);
  });

  it('tells a signal of another process from its own', async () => {
    expect((await capture('kill -INT $$')).signal).toBe('SIGINT');
    expect(await capture('exec sleep 30', { timeoutMs: 50 })).toMatchObject({
      exitCode: undefined,
      signal: undefined,
      isTimedOut: true,
    });
  });

  it.each(['after its time', 'at an abort'])(
    'ends %s the children of the command, too',
    async (when) => {
      const folder = mkdtempSync(join(tmpdir(), 'capture-'));
      const file = join(folder, 'pid');
      const abort = new AbortController();
      const more = when === 'at an abort' ? { signal: abort.signal } : { timeoutMs: 2_000 };
      const running = capture(`trap '' TERM; sleep 30 & echo $! > '${file}'; wait; wait`, more);
      await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/^\d+\n$/), 5_000);
      abort.abort();
      await running;
      const pid = Number(readFileSync(file, 'utf8'));
      await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), 5_000);
      rmSync(folder, { recursive: true });
    },
  );
});
