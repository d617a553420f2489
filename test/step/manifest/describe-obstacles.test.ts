import { describe, expect, it } from 'vitest';
import { describeObstacles } from '../../../src/step/manifest/describe-obstacles.js';

describe('what could not be compared', () => {
  it('is one warning for each reason, with how many there are', () => {
    const changes = (['name', undefined, 'access', 'name'] as const).map((obstacle) => {
      return { path: '/a', before: undefined, obstacle };
    });
    expect(describeObstacles(changes)).toEqual([
      {
        code: 'WORKSPACE_NOT_COMPARED',
        message: 'Files or folders that were not compared, because their names are not UTF-8: 2.',
        count: 2,
      },
      {
        code: 'WORKSPACE_NOT_COMPARED',
        message: 'Folders that were not compared, because they cannot be read: 1.',
        count: 1,
      },
    ]);
    expect(describeObstacles([])).toEqual([]);
  });
});
