import { expect, it } from 'vitest';
import { WriteConflicts } from '../../../src/batch/run/write-conflicts.js';
import { manifestFile } from './pieces.js';

const files = [manifestFile('x'), manifestFile('y')];

it('a write conflict is reported once, with both steps and all their common files', () => {
  const conflicts = new WriteConflicts();
  expect(conflicts.accept({ step: 'a', startedMs: 0, endedMs: 10 }, files)).toEqual([]);
  const warnings = conflicts.accept({ step: 'b', startedMs: 5, endedMs: 20 }, files);
  expect(warnings).toMatchObject([{ steps: ['a', 'b'], paths: ['x', 'y'] }]);
});

it('a write conflict is not reported for a step that only saw the change of another step', () => {
  const seen = files.map((file) => ({ ...file, tools: ['unknown'] }));
  const conflicts = new WriteConflicts();
  conflicts.accept({ step: 'a', startedMs: 0, endedMs: 10 }, seen);
  expect(conflicts.accept({ step: 'b', startedMs: 5, endedMs: 20 }, files)).toEqual([]);
  const warnings = conflicts.accept({ step: 'c', startedMs: 6, endedMs: 21 }, seen);
  expect(warnings).toMatchObject([{ steps: ['a', 'c'] }]);
});

it('a write conflict is not reported for successive steps, for one step, or for unchanged files', () => {
  const conflicts = new WriteConflicts();
  conflicts.accept({ step: 'a', startedMs: 0, endedMs: 10 }, files);
  expect(conflicts.accept({ step: 'b', startedMs: 10, endedMs: 20 }, files)).toEqual([]);
  expect(conflicts.accept({ step: 'b', startedMs: 11, endedMs: 21 }, files)).toEqual([]);
  const unchanged = [manifestFile('x', { kind: 'unchanged' })];
  expect(conflicts.accept({ step: 'c', startedMs: 12, endedMs: 22 }, unchanged)).toEqual([]);
});
