import { describe, expect, it } from 'vitest';
import {
  isJobId,
  joinJobId,
  labelsOfJob,
  NAME_FORM,
  queueNameOf,
  satisfies,
  sortLabels,
} from '../../../src/queue/protocol/labels.js';

describe('job ids', () => {
  it.each([[[]], [['gpu']], [['big', 'gpu', 'linux-x64', 'v1.2_3']]])(
    'name the labels %j',
    (labels) => {
      expect(labelsOfJob(joinJobId(labels, '7f3a-12'))).toEqual(labels);
    },
  );

  it('have the form that the store and the command line take', () => {
    expect(joinJobId([], '7f3a')).toBe('7f3a');
    expect(joinJobId(['big', 'gpu'], '7f3a')).toBe('big+gpu~7f3a');
    expect(joinJobId(['big', 'gpu'], '7f3a')).not.toContain(':');
  });

  it.each(['7', '7f3a-12', 'big+gpu~7f3a', 'f'.repeat(64)])('may be %j', (id) => {
    expect(isJobId(id)).toBe(true);
  });

  it.each([
    'meta',
    'gpu~events',
    'wait',
    'a:b~7',
    '~7',
    '+~7',
    'a~',
    'a\0b',
    '\u001b[2J',
    "' OR 1=1",
    '',
  ])('are not %j, which may name another key of the store', (id) => {
    expect(isJobId(id)).toBe(false);
  });
});

describe('labels', () => {
  it('are the same requirement in every order', () => {
    expect(sortLabels(['gpu', 'big', 'gpu', 'Big'])).toEqual(sortLabels(['Big', 'gpu', 'big']));
    expect(sortLabels(['gpu', 'big', 'gpu'])).toEqual(['big', 'gpu']);
  });

  it('leave the given list as it is', () => {
    const given = ['b', 'a'];
    sortLabels(given);
    expect(given).toEqual(['b', 'a']);
  });

  it('make the name of the queue', () => {
    expect(queueNameOf('q', [])).toBe('q');
    expect(queueNameOf('q', ['a', 'b'])).toBe('q+a+b');
  });

  it('must all be those of the worker', () => {
    expect(satisfies(['a', 'b'], [])).toBe(true);
    expect(satisfies(['a', 'b'], ['b'])).toBe(true);
    expect(satisfies(['a', 'b'], ['b', 'c'])).toBe(false);
    expect(satisfies([], ['a'])).toBe(false);
  });

  it.each(['', 'a+b', 'a~b', 'a:b', 'a b', 'ä', 'a\n', 'a'.repeat(65)])('are not %j', (label) => {
    expect(NAME_FORM.test(label)).toBe(false);
  });

  it.each(['a', 'a-b_c.d', 'a'.repeat(64)])('may be %j', (label) => {
    expect(NAME_FORM.test(label)).toBe(true);
  });
});
