import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOutput, print, printJson } from '../../../src/cli/output/output.js';
import { beTerminal } from '../../fixtures/cli/terminal.js';

/** Replaces stdout and records what is written. */
function capture() {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk, encoding, done) => {
    written.push(String(chunk));
    const callback = typeof encoding === 'function' ? encoding : done;
    setTimeout(() => {
      written.push('(taken)');
      callback?.();
    }, 5);
    return false;
  });
  onTestFinished(() => write.mockRestore());
  return written;
}

describe('the colours of the command', () => {
  it.each([
    [{}, false],
    [{ NO_COLOR: '', TERM: 'xterm' }, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, false],
  ])('with %j and no terminal are on: %s', (env, hasColors) => {
    beTerminal({ stdout: false, stderr: false });
    const { stdout, stderr } = createOutput(env);
    for (const { paint } of [stdout, stderr]) {
      expect(paint.isColorSupported).toBe(hasColors);
      expect(paint.red('x') === 'x').toBe(!hasColors);
    }
  });

  it.each([
    [{}, { stdout: true, stderr: false }, [true, false]],
    [{}, { stdout: false, stderr: true }, [false, true]],
    [{ NO_COLOR: '1' }, { stdout: true, stderr: true }, [false, false]],
  ])('with %j and the terminals %j are on for each terminal', (env, terminals, expected) => {
    beTerminal(terminals);
    const { stdout, stderr } = createOutput(env);
    expect([stdout, stderr].map(({ paint }) => paint.isColorSupported)).toEqual(expected);
  });
});

describe('printed text', () => {
  it('is awaited until the stream has taken it', async () => {
    const written = capture();
    const { stdout } = createOutput({});
    await print(stdout, 'line\n');
    await printJson(stdout, { a: [1, undefined], b: undefined });
    expect(written).toEqual(['line\n', '(taken)', '{"a":[1,null]}\n', '(taken)']);
  });

  it('is rid of sequences, while the colours of the command stay (claim: terminal-clean)', async () => {
    const written = capture();
    const { stdout } = createOutput({ FORCE_COLOR: '1' });
    const hostile = '\u001b[31m\u001b]0;title\u0007\u009b2J\u202egnp.exe\r';
    await print(
      stdout,
      `${stdout.paint.green(hostile)} ${stdout.paint.bold(stdout.paint.red('b'))}\n`,
    );
    expect(written[0]).toBe(
      '\u001b[32mgnp.exe\u001b[39m \u001b[1m\u001b[31mb\u001b[39m\u001b[22m\n',
    );
  });

  it('as JSON keeps its value and has no character that a terminal obeys', async () => {
    const written = capture();
    const value = { text: 'a\u001b\u007f\u009b\u202e\u2028\ud800é' };
    await printJson(createOutput({}).stdout, value);
    expect(written[0]).toMatch(/^[^\p{Cc}\p{Bidi_Control}\p{Cs}\u2028]*\n$/u);
    expect(JSON.parse(written[0] ?? '')).toEqual(value);
  });

  it.each([
    [true, 'red'],
    [false, '\u001b[31mred'],
  ])('is exact where it is wanted, except on a terminal: %s', async (isTerminal, expected) => {
    beTerminal({ stdout: isTerminal, stderr: false });
    const written = capture();
    await createOutput({}).stdout.writeExact('\u001b[31mred');
    expect(written[0]).toBe(expected);
  });

  it('replaces lines of the terminal', async () => {
    const written = capture();
    const { stdout } = createOutput({});
    await stdout.write('a', 'line');
    await stdout.write('b', 3);
    expect(written.filter((text) => text !== '(taken)')).toEqual([
      '\r\u001b[2Ka',
      `${'\u001b[1A\u001b[2K'.repeat(3)}\rb`,
    ]);
  });
});

it('no other module of the command line knows the two streams (claim: terminal-clean)', () => {
  const folder = join(import.meta.dirname, '../../../src/cli');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((name) => name.endsWith('.ts'));
  const writers = modules.filter((name) => {
    return /process\.std(out|err)|\bconsole\b/.test(readFileSync(join(folder, name), 'utf8'));
  });
  expect(modules.length).toBeGreaterThan(90);
  expect(writers).toEqual([join('output', 'output.ts')]);
});
