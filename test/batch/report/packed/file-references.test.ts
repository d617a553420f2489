import { describe, expect, it } from 'vitest';
import {
  createFileReferences,
  resolveReference,
} from '../../../../src/batch/report/packed/file-references.js';
import { aFile, aStep } from '../report-builder.js';

const { path, absolutePath, kind, bytes, sha256Before, sha256After } = aFile('b.ts');
const ofBatch = {
  ...{ path, absolutePath, kind, bytes, sha256Before, sha256After },
  steps: ['two'],
  conflicts: [],
};
const steps = [aStep('one'), aStep('two', { files: [aFile('a.ts'), aFile('b.ts')] })];

describe('createFileReferences', () => {
  it('finds a file that one step has written', () => {
    const reference = createFileReferences(steps)(ofBatch);
    expect(reference).toEqual([1, 1]);
    expect(resolveReference(reference ?? [0, 0], steps)).toEqual([ofBatch]);
  });

  it.each([
    ['two steps have written it', { steps: ['two', 'one'] }],
    ['another step has written it', { steps: ['one'] }],
    ['there is a conflict', { conflicts: ['one'] }],
    ['it has another size', { bytes: ofBatch.bytes + 1 }],
    ['it has another content', { sha256After: 'other' }],
    ['it is sensitive in the batch alone', { sensitive: 'It runs code.' }],
    ['no step lists it', { path: 'c.ts' }],
  ])('finds nothing if %s', (_, other) => {
    expect(createFileReferences(steps)({ ...ofBatch, ...other })).toBeUndefined();
  });
});

describe('resolveReference', () => {
  it.each([
    [7, 0],
    [1, 7],
  ] as const)('leaves out a file that does not exist: %d, %d', (step, file) => {
    expect(resolveReference([step, file], steps)).toEqual([]);
  });
});
