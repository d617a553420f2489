import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Baseline } from '../../../src/batch/run/baseline.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { manifestFile } from './pieces.js';
import { hashOf } from './scripted-result.mjs';

async function open(files: Readonly<Record<string, string>>) {
  const folder = makeTree(files);
  const list = join(makeTree(), 'out', 'files-before.json');
  const baseline = await Baseline.open(list, [folder]);
  const at = (path: string) => join(folder, path);
  /** Returns the file as the second attempt reports it, after the first attempt wrote it and was killed. */
  const seen = (path: string) => {
    const hash = hashOf(at(path));
    const hashes = { sha256Before: hash, sha256After: hash };
    return manifestFile(path, { absolutePath: at(path), kind: 'unchanged', ...hashes });
  };
  return { folder, list, baseline, at, seen };
}

it('a baseline tells created files from modified ones after an attempt was killed', async () => {
  const { baseline, at, seen } = await open({ old: 'old\n', same: 'same\n' });
  const before = hashOf(at('old'));
  writeFileSync(at('old'), 'changed\n');
  writeFileSync(at('new'), 'new\n');
  const files = await baseline.correct(['old', 'same', 'new'].map(seen), new Map());
  expect(files.map(({ path, kind, sha256Before }) => [path, kind, sha256Before])).toEqual([
    ['old', 'modified', before],
    ['same', 'unchanged', hashOf(at('same'))],
    ['new', 'created', undefined],
  ]);
  expect(files[2]?.diff).toContain('+new');
});

it('a baseline uses the files that earlier steps wrote as the state before the step', async () => {
  const { baseline, at, seen } = await open({ old: 'old\n' });
  writeFileSync(at('made'), 'by the killed attempt\n');
  const written = new Map([
    [at('old'), undefined],
    [at('made'), 'hash of another step'],
  ]);
  const files = await baseline.correct([seen('old'), seen('made')], written);
  expect(files.map(({ path, kind }) => [path, kind])).toEqual([
    ['old', 'created'],
    ['made', 'modified'],
  ]);
});

it('a baseline is the same for each run of the batch', async () => {
  const { folder, list, at, seen } = await open({ old: 'old\n' });
  const text = readFileSync(list, 'utf8');
  writeFileSync(at('new'), 'new\n');
  const again = await Baseline.open(list, [folder]);
  expect(readFileSync(list, 'utf8')).toBe(text);
  expect((await again.correct([seen('new')], new Map()))[0]?.kind).toBe('created');
});

it('a baseline keeps files outside of the workspace unchanged, and drops files that never existed', async () => {
  const { baseline, seen } = await open({});
  const outside = manifestFile('../x', { outsideWorkspace: true, kind: 'unchanged' });
  expect(await baseline.correct([outside, seen('nothing')], new Map())).toEqual([outside]);
});

it('a cancel ends the hashing for a baseline, and leaves no half of one (claim: bounded-batch-start)', async () => {
  const folder = makeTree({ small: 'x' });
  // Each file is below the size from which files are left out; together they would take minutes.
  for (let n = 0; n < 1000; n++) {
    writeFileSync(join(folder, `large-${n}`), '');
    truncateSync(join(folder, `large-${n}`), 200 * 2 ** 20);
  }
  const list = join(makeTree(), 'files-before.json');
  await Baseline.open(list, [folder], AbortSignal.timeout(100));
  expect(existsSync(list)).toBe(false);
});

it('a vast file is no reason to wait before the first step', async () => {
  const folder = makeTree({ small: 'x', vast: '' });
  truncateSync(join(folder, 'vast'), 2 ** 42);
  const list = join(makeTree(), 'files-before.json');
  const baseline = await Baseline.open(list, [folder]);
  writeFileSync(join(folder, 'small'), 'y');
  expect(await baseline.findChanges(folder, new Map())).toEqual([join(folder, 'small')]);
});
