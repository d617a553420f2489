import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createBatchId,
  openMarkerFolder,
  protectedBatchPaths,
  readMarker,
  writeMarker,
} from '../../../src/batch/state/batch-marker.js';
import { makeTree } from '../../base/fs/make-tree.js';

describe('the id of a batch in its output folder', () => {
  it('is read back, and damage is noticed', async () => {
    const out = makeTree();
    expect(await readMarker(out)).toEqual({ kind: 'none' });
    const id = createBatchId();
    await writeMarker(out, id);
    expect(await readMarker(out)).toEqual({ kind: 'batch', id });
    const file = join(openMarkerFolder(out), 'id.json');
    const text = readFileSync(file, 'utf8');
    for (const damaged of ['', '{', '{}', text.replace(id, createBatchId())]) {
      writeFileSync(file, damaged);
      expect(await readMarker(out)).toEqual({ kind: 'damaged' });
    }
  });

  it('lies with the lease below the protected paths (claim: lease-protected)', () => {
    const out = makeTree();
    expect(protectedBatchPaths(out)).toEqual([openMarkerFolder(out)]);
  });

  it('is not written through a link (claim: lease-protected)', () => {
    const [out, victim] = [makeTree(), makeTree()];
    symlinkSync(victim, join(out, '.batch'));
    expect(() => openMarkerFolder(out)).toThrow(/\.batch is not a folder/);
    const other = makeTree({ '.batch': '' });
    expect(() => openMarkerFolder(other)).toThrow('EEXIST');
  });
});
