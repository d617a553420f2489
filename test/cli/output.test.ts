import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOutput, print, printJson } from '../../src/cli/output.js';

/** Takes the place of stdout. */
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
  ])('with %j and no terminal are there: %s', (env, hasColors) => {
    const { paint } = createOutput(env);
    expect(paint.isColorSupported).toBe(hasColors);
    expect(paint.red('x') === 'x').toBe(!hasColors);
  });
});

describe('what is printed', () => {
  it('is waited for until it has been taken', async () => {
    const written = capture();
    await print(process.stdout, 'line\n');
    await printJson(process.stdout, { a: [1, undefined], b: undefined });
    expect(written).toEqual(['line\n', '(taken)', '{"a":[1,null]}\n', '(taken)']);
  });

  it('goes to the streams of this process', () => {
    const { stdout, stderr } = createOutput({});
    expect([stdout, stderr]).toEqual([process.stdout, process.stderr]);
  });
});
