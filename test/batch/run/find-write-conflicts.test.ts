import { expect, it } from 'vitest';
import { WriteConflicts } from '../../../src/batch/run/find-write-conflicts.js';
import { manifestFile } from './pieces.js';

const files = [manifestFile('x'), manifestFile('y')];

it('names both steps and all their files, once', () => {
  const watch = new WriteConflicts();
  expect(watch.accept({ step: 'a', startedMs: 0, endedMs: 10 }, files)).toEqual([]);
  const warnings = watch.accept({ step: 'b', startedMs: 5, endedMs: 20 }, files);
  expect(warnings).toMatchObject([{ steps: ['a', 'b'], paths: ['x', 'y'] }]);
});

it('does not blame a step that has only seen the file of another change', () => {
  const seen = files.map((file) => ({ ...file, tools: ['unknown'] }));
  const watch = new WriteConflicts();
  watch.accept({ step: 'a', startedMs: 0, endedMs: 10 }, seen);
  expect(watch.accept({ step: 'b', startedMs: 5, endedMs: 20 }, files)).toEqual([]);
  const warnings = watch.accept({ step: 'c', startedMs: 6, endedMs: 21 }, seen);
  expect(warnings).toMatchObject([{ steps: ['a', 'c'] }]);
});

it('has nothing to say of steps one after another, of one step, and of what is unchanged', () => {
  const watch = new WriteConflicts();
  watch.accept({ step: 'a', startedMs: 0, endedMs: 10 }, files);
  expect(watch.accept({ step: 'b', startedMs: 10, endedMs: 20 }, files)).toEqual([]);
  expect(watch.accept({ step: 'b', startedMs: 11, endedMs: 21 }, files)).toEqual([]);
  const unchanged = [manifestFile('x', { kind: 'unchanged' })];
  expect(watch.accept({ step: 'c', startedMs: 12, endedMs: 22 }, unchanged)).toEqual([]);
});
