import { describe, expect, it } from 'vitest';
import type { BatchFile } from '../../../../../src/api/batch-report.js';
import {
  createPageModel,
  findChanges,
} from '../../../../../src/batch/report/page/model/page-model.js';
import { aFile, aReport, aStep } from '../../report-builder.js';

const listed: BatchFile = {
  path: 'src/a.ts',
  absolutePath: '/w/src/a.ts',
  kind: 'modified',
  bytes: 1,
  steps: ['two', 'one', 'gone'],
  conflicts: [],
};

describe('the page model', () => {
  it('knows which steps need a step, and which were skipped because of it', () => {
    const model = createPageModel(
      aReport([
        aStep('one', { state: 'failed' }),
        aStep('two', { state: 'skipped', needs: ['one'], skippedBecauseOf: 'one' }),
        aStep('three', { state: 'skipped', needs: ['one', 'two'], skippedBecauseOf: 'one' }),
        aStep('four', { state: 'skipped' }),
      ]),
    );
    expect(model.neededBy(aStep('one'))).toEqual(['two', 'three']);
    expect(model.skippedBy.get('one')?.map(({ id }) => id)).toEqual(['two', 'three']);
    expect(model.skippedBy.get('')?.map(({ id }) => id)).toEqual(['four']);
  });

  it('lists the changes of a file by each step, in the order of its steps', () => {
    const model = createPageModel(
      aReport(
        [
          aStep('one', { files: [aFile('src/a.ts', { bytes: 1 })] }),
          aStep('two', { files: [aFile('a.ts', { bytes: 2, absolutePath: '/w/src/a.ts' })] }),
        ],
        { files: [listed] },
      ),
    );
    expect(findChanges(model, listed).map(({ stepId, file }) => [stepId, file?.bytes])).toEqual([
      ['two', 2],
      ['one', 1],
      ['gone', undefined],
    ]);
  });

  it('includes files that only steps list', () => {
    const partialFile = aFile('c.ts', { kind: 'created' });
    const model = createPageModel(
      aReport([
        aStep('one', { files: [aFile('b.ts', { kind: 'created' })] }),
        aStep('two', { files: [aFile('b.ts'), partialFile] }),
      ]),
    );
    expect(model.files.map(({ path, kind, steps }) => [path, kind, steps])).toEqual([
      ['b.ts', 'created', ['one', 'two']],
      ['c.ts', 'created', ['two']],
    ]);
    expect(model.fileByPath.get('c.ts')?.steps).toEqual(['two']);
  });

  it('accepts steps and files named like properties of objects', () => {
    const model = createPageModel(aReport([aStep('__proto__', { files: [aFile('constructor')] })]));
    expect(model.stepById.get('__proto__')?.id).toBe('__proto__');
    expect(model.stepById.get('toString')).toBeUndefined();
    expect(model.fileByPath.get('constructor')?.steps).toEqual(['__proto__']);
  });
});
