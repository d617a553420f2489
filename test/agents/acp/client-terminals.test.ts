import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientTerminals } from '../../../src/agents/acp/client-terminals.js';
import { failureOf, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

/** Terminals in a workspace; `run` waits for the end of a command and gives its output. */
function open(check: (command: string) => Promise<void> = async () => {}) {
  const root = makeFolder({ 'work/a.txt': 'a', 'work/sub/b.txt': 'b', 'outside/c.txt': 'c' });
  const workingDir = join(root, 'work');
  const env = { PATH: process.env['PATH'] ?? '', GIVEN: 'given' };
  const terminals = new ClientTerminals({ workingDir, workspaceDirs: [workingDir], env, check });
  onTestFinished(() => terminals.releaseAll());
  const run = async (command: string, more: object = {}) => {
    const made = await terminals.create({ command, ...more });
    const status = await terminals.waitForExit(made);
    return { ...status, ...terminals.output(made), ...made };
  };
  return { terminals, run, root, workingDir };
}

describe('a command that runs through us', () => {
  it('has its arguments, the folder and the environment, and both of its outputs are kept', async () => {
    const { run, workingDir } = open();
    expect(await run('printf', { args: ['%s|', 'a b', '$HOME'] })).toMatchObject({
      output: 'a b|$HOME|',
      truncated: false,
      exitCode: 0,
      signal: null,
      exitStatus: { exitCode: 0, signal: null },
    });
    const env = [{ name: 'MORE', value: 'more' }, { name: 'EMPTY' }, 'odd', { value: 'x' }];
    const script = 'pwd; echo "[$GIVEN][$MORE][$HOME]" >&2; exit 7';
    expect(await run(script, { env })).toMatchObject({
      output: `${workingDir}\n[given][more][]\n`,
      exitCode: 7,
    });
  });

  it('may be a whole command line', async () => {
    const { run } = open();
    expect(await run('echo a | tr a b')).toMatchObject({ output: 'b\n' });
    expect(await run('true')).toMatchObject({ output: '', exitCode: 0 });
  });

  it('runs in a folder of the workspace, and in no other', async () => {
    const { run, root, workingDir } = open();
    const sub = join(workingDir, 'sub');
    expect(await run('pwd', { cwd: sub })).toMatchObject({ output: `${sub}\n` });
    expect(await run('pwd', { cwd: null })).toMatchObject({ output: `${workingDir}\n` });
    for (const cwd of [join(root, 'outside'), `${workingDir}/..`, 'sub', 7]) {
      expect(await failureOf(() => run('pwd', { cwd }))).toBeInstanceOf(Error);
    }
  });

  it('that does not exist ends as in a shell', async () => {
    const { run } = open();
    expect(await run('/no/such/program')).toMatchObject({ exitCode: 127, signal: null });
  });

  it('keeps the end of what it says, cut at a whole character', async () => {
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

  it('says no more than a megabyte where no limit is given', async () => {
    const { run } = open();
    const { output } = { output: '', ...(await run('head -c 3000000 /dev/zero | tr "\\0" x')) };
    expect(output).toHaveLength(1024 * 1024);
  });

  it('can be looked at while it runs', async () => {
    const { terminals } = open();
    const made = await terminals.create({ command: 'echo early; exec sleep 30' });
    await until(() => JSON.stringify(terminals.output(made)).includes('early'));
    expect(terminals.output(made)).toEqual({ output: 'early\n', truncated: false });
  });

  it('is over when it is over, although something in the background holds its output', async () => {
    const { run } = open();
    const { output } = { output: '', ...(await run('sleep 30 & echo $!')) };
    expect(Number(output)).toBeGreaterThan(0);
    expect(isAlive(Number(output))).toBe(true);
  });
});

describe('ending a command', () => {
  /** A tree: a shell, its child, and one that has left its group. */
  const TREE = 'sleep 60 & echo $!; setsid sleep 60 & echo $!; echo $$; wait';

  async function plant(terminals: ClientTerminals) {
    const made = await terminals.create({ command: TREE });
    const read = () => {
      const { output } = { output: '', ...terminals.output(made) };
      return output.trim().split('\n').map(Number);
    };
    await until(() => read().length === 3);
    expect(read().every(isAlive)).toBe(true);
    return { made, pids: read() };
  }

  it('ends everything that it has started, and keeps its output', async () => {
    const { terminals } = open();
    const { made, pids } = await plant(terminals);
    const waiting = terminals.waitForExit(made);
    expect(await terminals.kill(made)).toEqual({});
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await waiting).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(terminals.output(made)).toMatchObject({ exitStatus: { signal: 'SIGTERM' } });
    await terminals.kill(made);
  });

  it('by releasing it forgets it as well', async () => {
    const { terminals } = open();
    const { made, pids } = await plant(terminals);
    expect(await terminals.release(made)).toEqual({});
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await failureOf(() => terminals.output(made))).toBeInstanceOf(Error);
  });

  it('is done for all at the end', async () => {
    const { terminals } = open();
    const one = await plant(terminals);
    const two = await plant(terminals);
    await terminals.releaseAll();
    expect([...one.pids, ...two.pids].filter(isAlive)).toEqual([]);
  });
});

describe('a request about a terminal', () => {
  it.each([undefined, null, {}, { terminalId: 'none' }, { terminalId: 7 }])(
    'that nobody knows (%j) fails',
    async (params) => {
      const { terminals } = open();
      expect(await failureOf(() => terminals.output(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => terminals.waitForExit(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => terminals.kill(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => terminals.release(params))).toBeInstanceOf(Error);
    },
  );

  it.each([undefined, {}, { command: '' }, { command: 7 }])(
    'that names no command (%j) fails',
    async (params) => {
      expect(await failureOf(() => open().terminals.create(params))).toMatchObject({
        message: 'The command is missing',
      });
    },
  );

  it('is checked with its whole command line before anything starts', async () => {
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
