import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findTmuxProblem } from '../../../src/remote/tmux/run-tmux.js';
import { renderEnvironment, renderStart } from '../../../src/remote/tmux/start-cli.js';

/** Runs the script of a pane with a program that exits with the given codes, one for each start. */
function runStarts(codes: readonly number[], isResumed = false) {
  const folder = mkdtempSync(join(tmpdir(), "start ' "));
  const program = join(folder, 'cli');
  writeFileSync(join(folder, 'codes'), codes.map((code) => `${code}\n`).join(''));
  writeFileSync(
    program,
    `#!/bin/sh\ncd "$(dirname "$0")"\necho "$*" >> starts\ncode=$(head -n 1 codes)\nsed -i 1d codes\nexit $code\n`,
  );
  chmodSync(program, 0o755);
  const path = `PATH=${process.env['PATH']}`;
  const script = renderStart(['env', '-i', path, program], ['-m', 'a; touch b'], 'id-1', isResumed);
  const { status } = spawnSync('sh', ['-c', script]);
  return { status, starts: readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n') };
}

it('starts a CLI again that wants it, with its session', () => {
  expect(runStarts([0])).toEqual({ status: 0, starts: ['--session-id id-1 -m a; touch b'] });
  expect(runStarts([199, 3])).toEqual({
    status: 3,
    starts: ['--session-id id-1 -m a; touch b', '--resume id-1 -m a; touch b'],
  });
  expect(runStarts([199, 42, 0]).starts).toEqual([
    '--session-id id-1 -m a; touch b',
    '--resume id-1 -m a; touch b',
    '--session-id id-1 -m a; touch b',
  ]);
  expect(runStarts([42], true)).toEqual({ status: 42, starts: ['--resume id-1 -m a; touch b'] });
});

it('does not let hooks read the ~/.bashrc of the person', async () => {
  const HOME = mkdtempSync(join(tmpdir(), 'home-'));
  writeFileSync(join(HOME, '.bashrc'), 'echo read\n');
  const words = renderEnvironment({ HOME, PATH: process.env['PATH'] });
  // Node connects stdin with a socket, as the CLI does for a hook.
  const hook = (...variables: string[]) =>
    spawnSync('env', ['-i', ...variables, 'bash', '-c', 'cat'], { input: '{}', encoding: 'utf8' });
  expect(hook(...words).stdout).toBe('{}');
  expect(hook(...words.filter((word) => !word.startsWith('SHLVL='))).stdout).toBe('read\n{}');
});

it('says how to install tmux where it is missing or too old', async () => {
  expect(await findTmuxProblem('/missing/tmux')).toMatch(/not installed.*apt install tmux/);
  const old = join(mkdtempSync(join(tmpdir(), 'tmux-')), 'tmux');
  writeFileSync(old, '#!/bin/sh\necho tmux 3.1c\n');
  chmodSync(old, 0o755);
  execFileSync('sh', ['-n', old]);
  expect(await findTmuxProblem(old)).toContain('3.2 or newer');
});
