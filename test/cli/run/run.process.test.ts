import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addRunCommand } from '../../../src/cli/run/run.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { endAfterTest, isAlive, makeFolder, program, runMain } from '../../fixtures/cli/support.js';

const main = join(import.meta.dirname, '../../../dist/cli.js');
const using = (cli: string, cwd = makeFolder()) => ['run', '--cli-path', program(cli), '-C', cwd];
const lines = (output: string) => output.trimEnd().split('\n');

describe('the command run as a process', () => {
  it('prints the result as JSON, with the settings of a file and of flags', async () => {
    const config = 'approval_mode: plan\nmodel: from-file\nextra_args: [--debug]\n';
    const file = join(makeFolder({ 'config.yaml': config }), 'config.yaml');
    const flags = ['--json', '--config', file, '--model', 'from-flag'];
    const args = [...using('answering.mjs'), 'my prompt', ...flags];
    const { code, stdout, stderr } = await runMain(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(lines(stdout)).toHaveLength(1);
    const { text: answer, ...result } = JSON.parse(stdout);
    expect(result).toMatchObject({ ok: true, sessionId: 'tiny-session', usage: { total: 12 } });
    expect(JSON.parse(answer)).toEqual({
      prompt: 'my prompt',
      args: [
        '--output-format=stream-json',
        '--approval-mode=plan',
        '--model=from-flag',
        expect.stringMatching(/^--policy=/),
        '--debug',
      ],
    });
  });

  it('prints plain text without a terminal, for a prompt from stdin', async () => {
    const input = 'from stdin\n';
    const { code, stdout, stderr } = await runMain(using('answering.mjs'), { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ prompt: 'from stdin\n' });
    expect(lines(stderr)).toEqual([
      'Session tiny-session · tiny',
      expect.stringMatching(
        /^12 tokens \(10 in, 2 out, 0 thoughts, 0 cached\), 0 tool calls, tiny · cost unknown \(no price of tiny\) · [\d.]+ s · session tiny-session$/,
      ),
    ]);
  });

  it('resolves the files of flags from the current folder', async () => {
    const cwd = makeFolder({ 'step.md': 'do it', 'rules.md': 'be brief', 'app/x': '' });
    const files = ['--prompt-file', 'step.md', '--system-prompt-file', 'rules.md'];
    const args = [...using('answering.mjs', 'app'), ...files];
    const { code, stdout } = await runMain(args, { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      prompt: expect.stringMatching(/^be brief\s+do it$/),
    });
  });

  it('ends the step at Ctrl-C and prints the error', async () => {
    const child = spawn(process.execPath, [main, ...using('waiting.mjs'), 'go'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    endAfterTest(child.pid ?? 0);
    const [first] = await once(child.stderr, 'data');
    expect(String(first)).toContain('Session waiting');
    child.kill('SIGINT');
    const [said, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(exit).toEqual([130, null]);
    expect(said).toContain(
      'CANCELLED The caller cancelled the step (not retryable, session waiting)',
    );
  });
});

describe('a prompt on stdin', () => {
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [main, ...args]);
    endAfterTest(child.pid ?? 0);
    return child;
  };

  it('may arrive late', async () => {
    const child = start(...using('answering.mjs'), '--json');
    const said = text(child.stdout);
    await setTimeout(1_000);
    child.stdin.end('late');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(JSON.parse(JSON.parse(await said).text)).toMatchObject({ prompt: 'late' });
  });

  it('can be cancelled by Ctrl-C while it is awaited', async () => {
    const child = start(...using('answering.mjs'), '--events');
    const said = text(child.stdout);
    // The text is longer than the pipe: once it is written, the command is reading.
    await new Promise((resolve) => child.stdin.write('x'.repeat(4 * 1024 * 1024), resolve));
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(JSON.parse(await said)).toMatchObject({ type: 'turn-complete', subtype: 'CANCELLED' });
  });

  it.each([
    ['a folder', '/', 'Stdin is a folder'],
    ['without an end', '/dev/zero', 'Stdin has more than 8388608 bytes'],
  ])('is INVALID_INPUT if it is %s', async (_what, path, message) => {
    const command = [process.execPath, main, ...using('answering.mjs'), '--json'];
    const shell = ['-c', 'exec "$@" < "$0"', path, ...command];
    const child = spawn('sh', shell, { stdio: ['ignore', 'pipe', 'pipe'] });
    endAfterTest(child.pid ?? 0);
    const [said, exit] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(exit).toEqual([2, null]);
    expect(JSON.parse(said)).toMatchObject({
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(message) },
    });
  });
});

describe('a prompt and a text on stdin', () => {
  const promptOf = (stdout: string): string => JSON.parse(stdout).prompt;
  const shell = async (script: string, ...args: readonly string[]) => {
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endAfterTest(child.pid ?? 0);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr };
  };

  it.each([
    ['through a pipe', 'echo "+ new" | "$@"', ['review this'], 'review this'],
    ['of a file', '"$@" < "$0"', ['-f', 'review.md'], 'review the file'],
  ])('%s are both sent', async (_how, script, args, first) => {
    const cwd = makeFolder({ 'review.md': 'review the file\n', diff: '+ new\n' });
    const inFolder = `cd ${cwd} && ${script.replace('"$0"', 'diff')}`;
    const { stdout } = await shell(inFolder, ...using('answering.mjs'), ...args);
    expect(promptOf(stdout)).toBe(`${first}\n\n<stdin>\n+ new\n</stdin>`);
  });

  it.each([
    ['is empty', ': | "$@"', []],
    ['is /dev/null', '"$@" < /dev/null', []],
    ['is not wanted', 'echo text | "$@"', ['--no-stdin']],
  ])('are the prompt alone if the text %s', async (_how, script, flags) => {
    const { stdout } = await shell(script, ...using('answering.mjs'), 'review this', ...flags);
    expect(promptOf(stdout)).toBe('review this');
  });

  it('are the prompt alone if the parent leaves stdin open, with a warning', async () => {
    const child = spawn(process.execPath, [main, ...using('answering.mjs'), 'review this']);
    endAfterTest(child.pid ?? 0);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(promptOf(stdout)).toBe('review this');
    expect(stderr).toContain('Warning: nothing came on stdin, and it is not closed.');
  });

  it.each([['-'], ['-f', '-']])('are one if the prompt is %j', async (...args) => {
    const { stdout } = await runMain([...using('answering.mjs'), ...args], { input: 'typed' });
    expect(promptOf(stdout)).toBe('typed');
  });
});

describe('output that cannot be written', () => {
  it('ends the step without a message and exits like SIGPIPE if its reader closes the pipe', async () => {
    const args = [main, ...using('chatting.mjs'), 'go', '--events'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    endAfterTest(child.pid ?? 0);
    const said = text(child.stderr);
    const [first] = await once(createInterface(child.stdout), 'line');
    const pid = Number(JSON.parse(first).sessionId);
    endAfterTest(pid);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([141, null]);
    expect(await said).toBe('');
    expect(isAlive(pid)).toBe(false);
  });

  it('is an error if the disk is full', async () => {
    const command = [process.execPath, main, ...using('quick.sh'), 'go', '--json'];
    const child = spawn('sh', ['-c', 'exec "$@" > /dev/full', 'sh', ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    endAfterTest(child.pid ?? 0);
    const [said, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(exit).toEqual([1, null]);
    expect(said).toMatch(/^The output cannot be written: ENOSPC.*\n$/);
  });
});

describe('the command run', () => {
  it('prints every event as a line, the error as the last one, and exits by its code', async () => {
    const args = [...using('fails-after-success.mjs'), 'go', '--events'];
    const { code, stdout, stderr } = await runCommandHere(addRunCommand, [...args, '--no-stdin']);
    expect(code).toBe(1);
    const events: { type: string; subtype?: string }[] = lines(stdout).map((line) =>
      JSON.parse(line),
    );
    expect(events.map(({ type }) => type)).toEqual(['session-init', 'text-delta', 'turn-complete']);
    expect(events.at(-1)?.subtype).toBe('UNKNOWN');
    expect(lines(stderr)).toEqual([
      'UNKNOWN The CLI reported success and then exited with 1 (not retryable, exit 1, session crashing)',
      '→ See the stderr below, the exit code and the output of the step.',
      '    TypeError: cannot read properties of undefined',
    ]);
  });

  it('prints an event for a failure before the CLI starts', async () => {
    const args = [...using('answering.mjs'), 'go', '--events', '--timeout', '-1'];
    const { code, stdout, stderr } = await runCommandHere(addRunCommand, [...args, '--no-stdin']);
    expect(code).toBe(2);
    expect(lines(stdout).map((line) => JSON.parse(line))).toMatchObject([
      { type: 'turn-complete', isError: true, error: { code: 'INVALID_CONFIG' } },
    ]);
    expect(stderr).toContain('INVALID_CONFIG');
  });

  it('reads the prompt from a file and prints forced colours', async () => {
    const file = join(makeFolder({ 'step.md': 'from a file' }), 'step.md');
    const args = [...using('answering.mjs'), '--prompt-file', file];
    const run = await runCommandHere(addRunCommand, [...args, '--no-stdin'], { FORCE_COLOR: '1' });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ prompt: 'from a file' });
    expect(run.stderr).toContain('\u001b[2mSession tiny-session');
  });

  it.each([
    ['a missing CLI', ['--cli-path', '/no/such/gemini', 'go'], 3, 'CLI_NOT_FOUND'],
    ['a wrong value', ['--timeout', '-1', 'go'], 2, 'INVALID_CONFIG'],
    ['a missing config file', ['--config', '/no/such/file', 'go'], 2, 'INVALID_CONFIG'],
    ['an empty prompt', ['--cli-path', program('quick.sh'), ' '], 2, 'INVALID_INPUT'],
    ['some other program', ['--cli-path', program('garbage.mjs'), 'go'], 1, 'PROTOCOL'],
    ['a wrong key', ['--cli-path', program('json-error.mjs'), 'go'], 3, 'AUTH'],
    [
      'a run that takes too long',
      ['--cli-path', program('waiting.mjs'), '--timeout', '0.2', 'go'],
      124,
      'TIMEOUT',
    ],
  ])('exits by the error code: %s', async (_what, args, exitCode, errorCode) => {
    const flags = ['run', '--json', '--no-stdin', '-C', makeFolder(), ...args];
    const { code, stdout, stderr } = await runCommandHere(addRunCommand, flags);
    expect([code, stderr]).toEqual([exitCode, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: errorCode, hint: expect.stringMatching(/./) },
    });
  });

  it('has a help text with examples and exit codes', async () => {
    const { stdout } = await runCommandHere(addRunCommand, ['run', '--help']);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('$ gemini-cli-provider run "Write src/hello.ts');
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 124, 130, 141]) {
      expect(stdout).toMatch(new RegExp(`[ ·] ?${code} \\w`));
    }
  });
});

describe('two forms of output', () => {
  it('are all events, and then the result or the error as the last line', async () => {
    const args = [...using('answering.mjs'), 'go', '--json', '--events', '--no-stdin'];
    const { stdout } = await runCommandHere(addRunCommand, args);
    const printed = lines(stdout).map((line) => JSON.parse(line));
    expect(printed.at(-2)).toMatchObject({ type: 'turn-complete' });
    expect(printed.at(-1)).toMatchObject({ ok: true, text: printed.at(-2).result.text });
    const failed = await runCommandHere(addRunCommand, [...args, '--timeout', '-1']);
    expect(failed.code).toBe(2);
    expect(lines(failed.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { type: 'turn-complete', error: { code: 'INVALID_CONFIG' } },
      { ok: false, error: { code: 'INVALID_CONFIG' } },
    ]);
  });
});

describe('two prompts', () => {
  it('are refused rather than one of them ignored', async () => {
    const file = join(makeFolder({ 'p.md': 'x' }), 'p.md');
    const args = [...using('answering.mjs'), 'text', '--prompt-file', file];
    const { code, stderr } = await runCommandHere(addRunCommand, [...args, '--no-stdin']);
    expect(code).toBe(2);
    expect(stderr).toContain('Two prompts were given');
  });
});
