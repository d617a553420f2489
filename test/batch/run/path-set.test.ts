import { expect, it } from 'vitest';
import { PathSet } from '../../../src/batch/run/path-set.js';

it('a path set finds equal paths, folders above and paths below, and no path with a similar name', () => {
  const paths = new PathSet();
  paths.add('/w/a/b.txt');
  paths.add('/w/c');
  for (const path of ['/w/a/b.txt', '/w/a', '/w', '/w/c/d/e']) {
    expect([path, paths.overlaps(path)]).toEqual([path, true]);
  }
  for (const path of ['/w/a/b', '/w/a/b.txt2', '/w/a/c.txt', '/w/cd', '/v']) {
    expect([path, paths.overlaps(path)]).toEqual([path, false]);
  }
});
