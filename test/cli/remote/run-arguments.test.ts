import { describe, expect, it } from 'vitest';
import { readRunArguments } from '../../../src/cli/remote/run-arguments.js';

const ID = '3b14c771-298e-4f20-8e75-af31bb331ac5';

describe('readRunArguments', () => {
  it.each([
    [['--resume', ID, '-m', 'x'], { resumed: ID, rest: ['-m', 'x'] }],
    [['-r', '5'], { resumed: '5', rest: [] }],
    [['-m', 'x', '--resume=latest'], { resumed: 'latest', rest: ['-m', 'x'] }],
    [['--resume'], { resumed: 'latest', rest: [] }],
    [['-r', '-m', 'x'], { resumed: 'latest', rest: ['-m', 'x'] }],
    [['--resume='], { resumed: 'latest', rest: [] }],
    [['--session-id', ID], { newId: ID, rest: [] }],
    [[`--sessionId=${ID}`, '-i', 'go'], { newId: ID, rest: ['-i', 'go'] }],
    [['-m', 'x', '--', '--resume', 'y'], { rest: ['-m', 'x', '--', '--resume', 'y'] }],
    [[], { rest: [] }],
  ])('takes the session out of %j', (args, expected) => {
    expect(readRunArguments(args)).toEqual(expected);
  });

  it.each([
    [['--resume', 'a', '--session-id', 'b'], 'exclude each other'],
    [['--session-file', 'x.json'], 'the id of the session would not be known'],
    [['--session-id'], 'The session "" is not valid'],
    [['--resume', 'a;b'], 'The session "a;b" is not valid'],
  ])('refuses %j', (args, message) => {
    expect(() => readRunArguments(args)).toThrow(message);
  });
});
