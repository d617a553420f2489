import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  describeRefusal,
  gitLine,
  gitOutput,
  settleAll,
} from '../../../src/batch/isolation/git-output.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { makeRepository, withPath } from './support.js';

const ANSWER = {
  exitCode: 128,
  signal: undefined,
  errno: undefined,
  stdout: Buffer.alloc(0),
  stderrTail: '',
};

describe('the output of git', () => {
  it('is one line without its line feed, or every byte', async () => {
    const { folder, git } = makeRepository({ 'a.txt': 'a\n\n' });
    const place = { folder, gitDir: join(folder, '.git') };
    expect(await gitLine(place, ['rev-parse', 'HEAD'])).toBe(git('rev-parse', 'HEAD').trim());
    expect((await gitOutput(place, ['cat-file', 'blob', 'HEAD:a.txt'])).toString()).toBe('a\n\n');
  });

  it('is an error with what git says, or without git', async () => {
    const { folder } = makeRepository();
    const place = { folder, gitDir: join(folder, '.git') };
    await expect(gitOutput(place, ['cat-file', '-t', 'missing'])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('git cat-file failed in the repository'),
      stderrTail: expect.stringContaining('missing'),
    });
    const empty = join(makeTree(), 'bin');
    mkdirSync(empty);
    withPath(empty);
    await expect(gitOutput(place, ['status'])).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('git is not on PATH'),
    });
  });
});

describe('a git command that has failed', () => {
  it.each([
    ['warning: odd\nfatal: bad object x\nerror: later\n', 'fatal: bad object x'],
    ['error: cannot lock ref\n', 'error: cannot lock ref'],
    ['hint: nothing\n', 'git printed no reason'],
  ])('names the first complaint in %j', (stderrTail, complaint) => {
    const error = describeRefusal(['commit-tree', 'x'], { ...ANSWER, stderrTail });
    expect(error).toMatchObject({ code: 'INVALID_INPUT', exitCode: 128 });
    expect(error.message).toContain(`git commit-tree failed`);
    expect(error.message).toContain(complaint);
  });

  it.each([
    [{ exitCode: undefined, signal: 'SIGKILL' as const }, 'SIGKILL'],
    [{ exitCode: 128 + constants.signals.SIGTERM }, 'SIGTERM'],
  ])('was ended by another program: %j', (how, signal) => {
    const error = describeRefusal(['status'], { ...ANSWER, ...how });
    expect(error).toMatchObject({ code: 'INCOMPLETE', signal });
    expect(error.message).toContain(`git status was ended by ${signal}`);
  });

  it('took too long, was cancelled, or has no name', () => {
    const late = describeRefusal(['status'], { ...ANSWER, isTimedOut: true });
    expect(late).toMatchObject({ code: 'TIMEOUT' });
    expect(late.message).toContain('git status took longer than its time');
    const stopped = describeRefusal(['status'], ANSWER, AbortSignal.abort());
    expect(stopped.code).toBe('CANCELLED');
    expect(describeRefusal([], ANSWER).message).toContain('Command git  failed');
  });
});

it('settleAll waits for the others when one has failed', async () => {
  const ended: string[] = [];
  const late = new Promise<string>((resolve) => {
    setImmediate(() => {
      ended.push('late');
      resolve('late');
    });
  });
  await expect(settleAll([Promise.reject(new Error('first')), late])).rejects.toThrow('first');
  expect(ended).toEqual(['late']);
  expect(await settleAll([Promise.resolve(7), late])).toEqual([7, 'late']);
});
