import { describe, expect, it } from 'vitest';
import type { BatchFile } from '../../../../../src/api/batch-report.js';
import { createPageModel } from '../../../../../src/batch/report/page/model/page-model.js';
import { ALL_FILES, ALL_STEPS } from '../../../../../src/batch/report/page/model/route.js';
import { createSearchIndex } from '../../../../../src/batch/report/page/model/search.js';
import { filterFiles, filterSteps } from '../../../../../src/batch/report/page/model/step-list.js';
import { anAttempt, aReport, aStep, usageOf } from '../../report-builder.js';

function aBatchFile(path: string, more: Partial<BatchFile>): BatchFile {
  return {
    path,
    absolutePath: `/w/${path}`,
    kind: 'created',
    bytes: 0,
    steps: [],
    conflicts: [],
    ...more,
  };
}

const search = createSearchIndex(
  createPageModel(
    aReport(
      [
        aStep('a', { durationMs: 5, usage: usageOf({ m: 10 }), attempts: [anAttempt(0, 1)] }),
        aStep('b', {
          durationMs: 9,
          state: 'failed',
          attempts: [anAttempt(0, 1), anAttempt(2, 3)],
        }),
        aStep('c', { durationMs: 5, usage: usageOf({ m: 30 }) }),
      ],
      {
        files: [
          aBatchFile('x', { conflicts: ['a', 'b'] }),
          aBatchFile('y', { kind: 'deleted', sensitive: 'why' }),
        ],
      },
    ),
  ),
);

describe('the list of steps', () => {
  it.each([
    ['plan', 'abc'],
    ['duration', 'bac'],
    ['tokens', 'cab'],
    ['attempts', 'bac'],
  ] as const)('sorted by %s is %s', (order, ids) => {
    expect(filterSteps(search, { ...ALL_STEPS, order }).map(({ id }) => id)).toEqual([...ids]);
  });

  it('can be filtered by state', () => {
    expect(filterSteps(search, { ...ALL_STEPS, state: 'failed' }).map(({ id }) => id)).toEqual([
      'b',
    ]);
    expect(filterSteps(search, { ...ALL_STEPS, state: 'failed', query: 'a' })).toEqual([]);
  });
});

describe('the list of files', () => {
  it.each([
    [undefined, ['x', 'y']],
    ['deleted', ['y']],
    ['conflicts', ['x']],
    ['sensitive', ['y']],
    ['unchanged', []],
  ] as const)('filtered by %s is %j', (filter, paths) => {
    expect(filterFiles(search, { ...ALL_FILES, filter }).map(({ path }) => path)).toEqual(paths);
  });
});
