import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/run-command.js';

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
