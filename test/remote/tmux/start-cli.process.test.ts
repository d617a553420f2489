import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { findTmux } from '../../../.config/tmux-binary.mjs';
import { createTmux, findTmuxProblem } from '../../../src/remote/tmux/run-tmux.js';
import { PANE_OPTION, startCliInTmux } from '../../../src/remote/tmux/start-cli.js';
import { watchStart } from '../../../src/remote/tmux/watch-start.js';

const { command, env } = findTmux();
const path = process.env['PATH'] ?? '';
const search = command === 'tmux' ? path : `${dirname(command)}${delimiter}${path}`;
for (const [name, value] of Object.entries({ ...env, PATH: search })) vi.stubEnv(name, value);
afterAll(() => void vi.unstubAllEnvs());

/** Starts a program in place of the CLI, on a tmux server that ends with the test. */
async function start(lines: string, more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'start-cli-'));
  const cliPath = join(folder, 'cli');
  writeFileSync(cliPath, `#!/bin/sh\n${lines}\n`);
  chmodSync(cliPath, 0o755);
  const tmux = createTmux({ socket: join(folder, 'socket') });
  onTestFinished(async () => void (await tmux(['kill-server']).catch(() => '')));
  const started = await startCliInTmux({
    ...{ folder, cliPath, tmux, args: [], cliSessionId: 'id-1', isResumed: false },
    environment: { PATH: process.env['PATH'], ...more },
    keepsScreen: true,
  });
  return { ...started, folder };
}

/** Returns the command lines of all processes that contain a text. */
function commandLinesWith(text: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });
}

it.runIf(process.platform === 'linux')(
  'values of variables stand in no command line of the pane or of tmux (claim: remote-desk-secrets)',
  async () => {
    const secret = `secret-${randomUUID()}`;
    const { folder, run, pane } = await start(
      'echo "$GEMINI_API_KEY" > seen; printenv TMUX_PANE >> seen; sleep 60',
      {
        GEMINI_API_KEY: secret,
      },
    );
    const seen = (): string => readFileSync(join(folder, 'seen'), 'utf8');
    await vi.waitFor(() => expect(seen()).toBe(`${secret}\n${pane}\n`), 20_000);
    // The folder of the test is in the command line of the CLI, so the search finds these processes.
    expect(commandLinesWith(folder).length).toBeGreaterThan(1);
    expect(commandLinesWith(secret)).toEqual([]);
    const [shown] = (await run(['list-panes', '-a', '-F', `#{${PANE_OPTION}}`])).split('\n');
    expect(shown).toBe('id-1');
  },
);

it('a CLI that ends at once is told with its screen and its exit code', async () => {
  // tmux itself misses the exit code of some.
  const starts = Array.from({ length: 10 }, () =>
    start('echo "Invalid session identifier"; echo; exit 42'),
  );
  for (const started of await Promise.all(starts)) {
    const failed = await watchStart(started);
    expect(failed).toEqual({ text: 'Invalid session identifier', exitCode: 42 });
    expect(await started.run(['list-sessions']).catch(() => '')).toBe('');
  }
  const killed = await start('kill -9 $PPID');
  expect((await watchStart(killed))?.exitCode).toBeGreaterThan(0);
});

it('the pane of a CLI that runs is closed when that CLI ends later', async () => {
  const started = await start("printf '\\033]0;◇  Ready (x)\\007'; read line");
  expect(await watchStart(started)).toBeUndefined();
  const option = ['show-options', '-w', '-v', '-t', started.pane, 'remain-on-exit'];
  expect((await started.run(option)).trim()).toBe('off');
  const quiet = await start('sleep 60');
  expect(await watchStart(quiet, 300)).toBeUndefined();
  await quiet.run(['kill-server']);
  expect(await watchStart(quiet, 300)).toBeUndefined();
});

it('says how to install tmux where it is missing or too old', async () => {
  expect(await findTmuxProblem('/missing/tmux')).toMatch(/not installed.*apt install tmux/);
  const old = join(mkdtempSync(join(tmpdir(), 'tmux-')), 'tmux');
  writeFileSync(old, '#!/bin/sh\necho tmux 3.1c\n');
  chmodSync(old, 0o755);
  execFileSync('sh', ['-n', old]);
  expect(await findTmuxProblem(old)).toContain('3.2 or newer');
});
