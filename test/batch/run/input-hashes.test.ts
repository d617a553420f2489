import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  areInputsUnchanged,
  hashInputs,
  updateInputHashes,
} from '../../../src/batch/run/input-hashes.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { manifestFile } from './pieces.js';

const noWrites = new Map<string, string>();

it('inputs count as changed if a file was changed, removed or added', async () => {
  const folder = makeTree({ a: '1' });
  const a = join(folder, 'a');
  const left = await hashInputs([a]);
  expect(areInputsUnchanged(await hashInputs([a]), left, noWrites)).toBe(true);
  writeFileSync(a, '2');
  expect(areInputsUnchanged(await hashInputs([a]), left, noWrites)).toBe(false);
  rmSync(a);
  expect(areInputsUnchanged(await hashInputs([a]), left, noWrites)).toBe(false);
  expect(areInputsUnchanged({}, left, noWrites)).toBe(false);
  expect(areInputsUnchanged({ ...left, b: 'new' }, left, noWrites)).toBe(false);
});

it.each([
  ['the batch has changed count as unchanged', { a: 'new' }, { a: 'old' }, [['a', 'new']], true],
  ['the batch has created count as unchanged', { a: 'new' }, {}, [['a', 'new']], true],
  ['the batch has removed count as unchanged', {}, { a: 'old' }, [['a', undefined]], true],
  [
    'the user has changed after the batch count as changed',
    { a: 'user' },
    { a: 'old' },
    [['a', 'new']],
    false,
  ],
  [
    'the user has removed after the batch count as changed',
    {},
    { a: 'old' },
    [['a', 'new']],
    false,
  ],
] as const)('inputs that %s', (_, now, left, written, isUnchanged) => {
  expect(areInputsUnchanged(now, left, new Map(written))).toBe(isUnchanged);
});

it('input hashes include the changes that the step made to its own inputs', () => {
  const files = [
    manifestFile('a', { sha256After: 'new' }),
    manifestFile('b', { kind: 'deleted', sha256After: undefined }),
    manifestFile('c'),
  ];
  const left = updateInputHashes({ '/w/a': 'old', '/w/b': 'old', '/w/d': 'old' }, files);
  expect(left).toEqual({ '/w/a': 'new', '/w/b': 'none', '/w/d': 'old' });
});

it('a cancel ends the hashing of inputs', async () => {
  const vast = join(makeTree({ vast: '' }), 'vast');
  truncateSync(vast, 2 ** 42);
  const signal = AbortSignal.timeout(50);
  await expect(hashInputs([vast], signal)).rejects.toMatchObject({ code: 'CANCELLED' });
});
