import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { renderPaneScript, writePaneScript } from '../../../src/remote/tmux/pane-script.js';
import { paneVariables } from '../../../src/remote/tmux/pane-variables.js';

const PATH = process.env['PATH'] ?? '';

/** Writes a program that does the same as the given lines of sh. */
function writeProgram(lines: string): string {
  const program = join(mkdtempSync(join(tmpdir(), "start ' ")), 'cli');
  writeFileSync(program, `#!/bin/sh\n${lines}\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Runs the script of a pane with a program that exits with the given codes, one for each start. */
function runStarts(codes: readonly number[], isResumed = false) {
  const program = writeProgram(
    'cd "$(dirname "$0")"\necho "$* $SECRET" >> starts\ncode=$(head -n 1 codes)\nsed -i 1d codes\nexit $code',
  );
  const folder = dirname(program);
  writeFileSync(join(folder, 'codes'), codes.map((code) => `${code}\n`).join(''));
  const text = renderPaneScript(
    {
      variables: { PATH, SECRET: "it's $HOME" },
      command: [program],
      args: ['-m', 'a; touch b'],
      cliSessionId: 'id-1',
      isResumed,
    },
    join(folder, 'gone'),
  );
  const { status } = spawnSync('sh', ['-c', text], { env: {} });
  return { status, starts: readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n') };
}

it('starts a CLI again that wants it, with its session and the same variables', () => {
  const begin = "--session-id id-1 -m a; touch b it's $HOME";
  const resume = "--resume id-1 -m a; touch b it's $HOME";
  expect(runStarts([0])).toEqual({ status: 0, starts: [begin] });
  expect(runStarts([199, 3])).toEqual({ status: 3, starts: [begin, resume] });
  expect(runStarts([199, 42, 0]).starts).toEqual([begin, resume, begin]);
  expect(runStarts([42], true)).toEqual({ status: 42, starts: [resume] });
});

it('a script is private, is removed before the CLI starts, and gives values to the CLI byte for byte', async () => {
  const odd = '\'"$(touch x)`\\\n\t é 😀 \u0001 ;';
  const out = join(mkdtempSync(join(tmpdir(), 'variables-')), 'out');
  const program = writeProgram(`env -0 > '${out}'`);
  const script = await writePaneScript({
    variables: { ODD: odd, EMPTY: '', PATH, SHLVL: '1' },
    ...{ command: [program], args: [], cliSessionId: 'id-1', isResumed: false },
  });
  onTestFinished(() => script.remove());
  const file = script.command.at(-1) ?? '';
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  const [command = '', ...args] = script.command;
  const env = { PATH, TMUX: 'socket,1,0', TMUX_PANE: '%7', OF_THE_SERVER: 'leaks' };
  expect(spawnSync(command, args, { env }).status).toBe(0);
  expect(existsSync(dirname(file))).toBe(false);
  const seen = new Map(
    readFileSync(out, 'utf8')
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
  expect([seen.get('ODD'), seen.get('EMPTY')]).toEqual([odd, '']);
  expect([seen.get('TMUX'), seen.get('TMUX_PANE')]).toEqual(['socket,1,0', '%7']);
  expect(seen.has('OF_THE_SERVER')).toBe(false);
});

it('does not let hooks read the ~/.bashrc of the person', () => {
  const HOME = mkdtempSync(join(tmpdir(), 'home-'));
  writeFileSync(join(HOME, '.bashrc'), 'echo read\n');
  const { SHLVL = '', ...others } = paneVariables({ HOME, PATH });
  // Node connects stdin with a socket, as the CLI does for a hook.
  const hook = (env: Record<string, string>) =>
    spawnSync('bash', ['-c', 'cat'], { input: '{}', encoding: 'utf8', env }).stdout;
  expect(hook({ ...others, SHLVL })).toBe('{}');
  expect(hook(others)).toBe('read\n{}');
});
