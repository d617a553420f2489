import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepSpare, takeSpare } from '../../../src/queue/workspace/spare-trees.js';
import { makeTree } from '../../base/fs/make-tree.js';

const [ONE, TWO] = ['a'.repeat(40), 'b'.repeat(40)];

function openLab() {
  const root = makeTree({ 'attempts/': '', 'spares/': '' });
  const cache = { attempts: join(root, 'attempts'), spares: join(root, 'spares') };
  let count = 0;
  /** Makes the folder of an attempt that has ended, with one file. */
  const end = () => {
    const id = (count++).toString(16).padStart(16, '0');
    const folder = join(cache.attempts, `attempt-${id}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), id);
    return { id, folder };
  };
  return { cache, end };
}

describe('spare trees', () => {
  it('are taken for another attempt on the same base, each once', () => {
    const { cache, end } = openLab();
    const ended = end();
    expect(keepSpare(cache, ONE, ended)).toBe(true);
    expect(existsSync(ended.folder)).toBe(false);
    expect(takeSpare(cache, TWO)).toBeUndefined();
    const taken = takeSpare(cache, ONE);
    expect(taken?.id).toBe(ended.id);
    expect(readdirSync(taken?.folder ?? '')).toEqual(['file']);
    expect(takeSpare(cache, ONE)).toBeUndefined();
  });

  it('are at most eight: those on other bases make room first', () => {
    const { cache, end } = openLab();
    const other = end();
    keepSpare(cache, TWO, other);
    for (let count = 0; count < 8; count++) expect(keepSpare(cache, ONE, end())).toBe(true);
    const names = readdirSync(cache.spares);
    expect(names).toHaveLength(8);
    expect(names.some((name) => name.startsWith(TWO))).toBe(false);
    expect(keepSpare(cache, ONE, end())).toBe(true);
    expect(readdirSync(cache.spares)).toHaveLength(8);
  });

  it('are not kept if the folder is gone, and not searched in a cache that has none', () => {
    const { cache } = openLab();
    const gone = { id: 'f'.repeat(16), folder: join(cache.attempts, 'gone') };
    expect(keepSpare(cache, ONE, gone)).toBe(false);
    const empty = { ...cache, spares: join(cache.spares, 'missing') };
    expect(takeSpare(empty, ONE)).toBeUndefined();
  });

  it('leave other names in their folder alone', () => {
    const { cache, end } = openLab();
    mkdirSync(join(cache.spares, `${ONE}-short`));
    writeFileSync(join(cache.spares, 'README'), '');
    expect(takeSpare(cache, ONE)).toBeUndefined();
    keepSpare(cache, ONE, end());
    expect(takeSpare(cache, ONE)).toBeDefined();
    expect(readdirSync(cache.spares).sort()).toEqual(['README', `${ONE}-short`]);
  });

  it('go to one of two workers only, and the other one looks for the next', () => {
    const { cache, end } = openLab();
    const first = end();
    keepSpare(cache, ONE, first);
    keepSpare(cache, ONE, end());
    // The folder of the first attempt is there again: its rename fails.
    const taken = takeSpare(cache, ONE);
    mkdirSync(join(cache.spares, `${ONE}-${first.id}`));
    expect(taken?.id).toBe(first.id);
    expect(takeSpare(cache, ONE)?.id).not.toBe(first.id);
  });
});
