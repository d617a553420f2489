import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientTerminals } from '../../../src/agents/acp/client-terminals.js';
import type { TerminalEvent } from '../../../src/api/progress-event.js';
import { failureOf, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

/** Creates terminals in a workspace. `run` waits for the end of a command and returns its output. */
function open(check: (command: string) => Promise<void> = async () => {}) {
  const root = makeFolder({ 'work/a.txt': 'a', 'work/sub/b.txt': 'b', 'outside/c.txt': 'c' });
  const workingDir = join(root, 'work');
  const env = { PATH: process.env['PATH'] ?? '', GIVEN: 'given' };
  const ignored: string[] = [];
  const events: TerminalEvent[] = [];
  const terminals = new ClientTerminals({
    workingDir,
    workspaceDirs: [workingDir],
    env,
    check,
    onIgnored: (names) => void ignored.push(...names),
    onEvent: (event) => void events.push(event),
  });
  onTestFinished(() => terminals.releaseAll());
  const run = async (command: string, more: object = {}) => {
    const made = await terminals.create({ command, ...more });
    const status = await terminals.waitForExit(made);
    return { ...status, ...terminals.output(made), ...made };
  };
  return { terminals, run, root, workingDir, ignored, events };
}

describe('a command in a terminal', () => {
  it('gets its arguments, folder and environment, and its stdout and stderr are kept', async () => {
    const { run, workingDir } = open();
    expect(await run('printf', { args: ['%s|', 'a b', '$HOME'] })).toMatchObject({
      output: 'a b|$HOME|',
      truncated: false,
      exitCode: 0,
      signal: null,
      exitStatus: { exitCode: 0, signal: null },
    });
    const env = [{ name: 'LC_ALL', value: 'more' }, { name: 'CI' }, 'odd', { value: 'x' }];
    const script = 'pwd; echo "[$GIVEN][$LC_ALL][$HOME]" >&2; exit 7';
    expect(await run(script, { env })).toMatchObject({
      output: `${workingDir}\n[given][more][]\n`,
      exitCode: 7,
    });
  });

  it('does not get variables with which an allowed command would run another program (claim: terminal-environment)', async () => {
    const { run, ignored, workingDir } = open();
    writeFileSync(join(workingDir, 'evil.cjs'), "console.log('EVIL')");
    writeFileSync(join(workingDir, 'node'), '#!/bin/sh\necho EVIL', { mode: 0o755 });
    const given = {
      NODE_OPTIONS: `--require ${join(workingDir, 'evil.cjs')}`,
      PATH: workingDir,
      GIVEN: 'replaced',
    };
    const env = Object.entries(given).map(([name, value]) => ({ name, value }));
    const args = ['-p', 'process.env.GIVEN'];
    expect(await run('node', { args, env })).toMatchObject({ output: 'given\n' });
    expect(ignored).toEqual(['NODE_OPTIONS', 'PATH', 'GIVEN']);
  });

  it('may be a whole command line', async () => {
    const { run } = open();
    expect(await run('echo a | tr a b')).toMatchObject({ output: 'b\n' });
    expect(await run('true')).toMatchObject({ output: '', exitCode: 0 });
  });

  it('runs only in folders of the workspace', async () => {
    const { run, root, workingDir } = open();
    const sub = join(workingDir, 'sub');
    expect(await run('pwd', { cwd: sub })).toMatchObject({ output: `${sub}\n` });
    expect(await run('pwd', { cwd: null })).toMatchObject({ output: `${workingDir}\n` });
    for (const cwd of [join(root, 'outside'), `${workingDir}/..`, 'sub', 7]) {
      expect(await failureOf(() => run('pwd', { cwd }))).toBeInstanceOf(Error);
    }
  });

  it('that does not exist ends with exit code 127', async () => {
    const { run } = open();
    expect(await run('/no/such/program')).toMatchObject({ exitCode: 127, signal: null });
  });

  it('keeps the end of its output, cut at a whole character', async () => {
    const { run } = open();
    const args = ['äöü€'];
    const outputs = [];
    for (const outputByteLimit of [9, 8, 4, 3, 2, 0]) {
      const { output, truncated } = {
        output: '',
        truncated: false,
        ...(await run('printf', { args, outputByteLimit })),
      };
      outputs.push([output, truncated]);
    }
    expect(outputs).toEqual([
      ['äöü€', false],
      ['öü€', true],
      ['€', true],
      ['€', true],
      ['', true],
      ['', true],
    ]);
  });

  it('keeps one megabyte of output if no limit is given', async () => {
    const { run } = open();
    const { output } = { output: '', ...(await run('head -c 3000000 /dev/zero | tr "\\0" x')) };
    expect(output).toHaveLength(1024 * 1024);
  });

  it('has readable output while it runs', async () => {
    const { terminals } = open();
    const made = await terminals.create({ command: 'echo early; exec sleep 30' });
    await until(() => JSON.stringify(terminals.output(made)).includes('early'));
    expect(terminals.output(made)).toEqual({ output: 'early\n', truncated: false });
  });

  it('ends with its own process, even if a background process holds its output open', async () => {
    const { run } = open();
    const { output } = { output: '', ...(await run('sleep 30 & echo $!')) };
    expect(Number(output)).toBeGreaterThan(0);
    expect(isAlive(Number(output))).toBe(true);
  });
});

describe('ending a command', () => {
  /** Command that starts a process tree: a shell, its child, and a child in another process group. */
  const TREE = 'sleep 60 & echo $!; setsid sleep 60 & echo $!; echo $$; wait';

  async function startTree(terminals: ClientTerminals) {
    const made = await terminals.create({ command: TREE });
    const read = () => {
      const { output } = { output: '', ...terminals.output(made) };
      return output.trim().split('\n').map(Number);
    };
    await until(() => read().length === 3);
    expect(read().every(isAlive)).toBe(true);
    return { made, pids: read() };
  }

  it('ends its whole process tree and keeps its output', async () => {
    const { terminals } = open();
    const { made, pids } = await startTree(terminals);
    const waiting = terminals.waitForExit(made);
    expect(await terminals.kill(made)).toEqual({});
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await waiting).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(terminals.output(made)).toMatchObject({ exitStatus: { signal: 'SIGTERM' } });
    await terminals.kill(made);
  });

  it('by releasing its terminal removes the terminal too', async () => {
    const { terminals } = open();
    const { made, pids } = await startTree(terminals);
    expect(await terminals.release(made)).toEqual({});
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await failureOf(() => terminals.output(made))).toBeInstanceOf(Error);
  });

  it('with releaseAll ends the process trees of all terminals', async () => {
    const { terminals } = open();
    const one = await startTree(terminals);
    const two = await startTree(terminals);
    await terminals.releaseAll();
    expect([...one.pids, ...two.pids].filter(isAlive)).toEqual([]);
  });
});

describe('a request about a terminal', () => {
  it.each([undefined, null, {}, { terminalId: 'none' }, { terminalId: 7 }])(
    'that does not exist (%j) fails',
    async (params) => {
      const { terminals } = open();
      expect(await failureOf(() => terminals.output(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => terminals.waitForExit(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => terminals.kill(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => terminals.release(params))).toBeInstanceOf(Error);
    },
  );

  it.each([undefined, {}, { command: '' }, { command: 7 }])(
    'without a command (%j) fails',
    async (params) => {
      expect(await failureOf(() => open().terminals.create(params))).toMatchObject({
        message: 'The field `command` must be a non-empty string',
      });
    },
  );

  it('is checked with its whole command line before the command starts', async () => {
    const asked: string[] = [];
    const { run, workingDir } = open(async (command) => {
      asked.push(command);
      if (command.includes('touch')) throw new Error(`not ${command}`);
    });
    expect(await failureOf(() => run('touch', { args: ['made', 'x y'] }))).toMatchObject({
      message: 'not touch made x y',
    });
    expect(await run('ls', { args: [workingDir] })).toMatchObject({ output: 'a.txt\nsub\n' });
    expect(asked).toEqual(['touch made x y', `ls ${workingDir}`]);
  });
});

describe('the events of a terminal', () => {
  it('tell the command, its output and its exit', async () => {
    const { run, terminals, events } = open();
    const { terminalId } = await run('printf out; exit 3');
    const command = 'printf out; exit 3';
    const result = { output: 'out', isTruncated: false, exitCode: 3, signal: undefined };
    expect(events).toEqual([
      { type: 'terminal', terminalId, state: 'started', command },
      { type: 'terminal', terminalId, state: 'exited', command, result },
    ]);
    expect(terminals.resultOf(terminalId)).toEqual(result);
    await terminals.release({ terminalId });
    expect(terminals.resultOf(terminalId)).toEqual(result);
    expect(terminals.resultOf('other')).toBeUndefined();
  });
});
