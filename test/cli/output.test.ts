import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOutput, print, printJson } from '../../src/cli/output.js';
import { beTerminal } from '../fixtures/cli/terminal.js';

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

  it('goes to the streams of this process', () => {
    const { stdout, stderr } = createOutput({});
    expect([stdout.stream, stderr.stream]).toEqual([process.stdout, process.stderr]);
  });
});
