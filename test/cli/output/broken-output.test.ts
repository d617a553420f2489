import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  exitCodeOfBrokenOutput,
  watchForBrokenOutput,
} from '../../../src/cli/output/broken-output.js';

function watch() {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  return { stdout, stderr, broken: watchForBrokenOutput({ stdout, stderr }) };
}
const failure = (code: string) => Object.assign(new Error(`write ${code}`), { code });

describe('output that cannot be written', () => {
  it.each(['stdout', 'stderr'] as const)(
    'aborts the signal for %s, also after repeated errors',
    (name) => {
      const watched = watch();
      expect(watched.broken.aborted).toBe(false);
      watched[name].emit('error', failure('EPIPE'));
      watched[name].emit('error', failure('EPIPE'));
      expect(watched.broken.aborted).toBe(true);
    },
  );

  it('prints no message if the reader has closed the pipe', () => {
    const { stdout, stderr, broken } = watch();
    stdout.emit('error', failure('EPIPE'));
    expect(stderr.read()).toBeNull();
    expect(exitCodeOfBrokenOutput(broken)).toBe(141);
  });

  it('prints one message for any other error', () => {
    const { stdout, stderr, broken } = watch();
    stdout.emit('error', failure('ENOSPC'));
    stdout.emit('error', failure('ENOSPC'));
    expect(String(stderr.read())).toBe('The output cannot be written: write ENOSPC\n');
    expect(exitCodeOfBrokenOutput(broken)).toBe(1);
  });

  it('counts a closed terminal as a hangup, without a message', () => {
    const { stdout, stderr, broken } = watch();
    Object.assign(stdout, { isTTY: true });
    stdout.emit('error', failure('EIO'));
    expect(stderr.read()).toBeNull();
    expect(exitCodeOfBrokenOutput(broken)).toBe(129);
  });

  it('goes on without output after a closed terminal under nohup', () => {
    const stdout = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = new PassThrough();
    const broken = watchForBrokenOutput({ stdout, stderr }, true);
    stdout.emit('error', failure('EIO'));
    expect(broken.aborted).toBe(false);
    stderr.emit('error', failure('EPIPE'));
    expect(broken.aborted).toBe(true);
  });
});
