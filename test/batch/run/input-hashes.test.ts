import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  areInputsUnchanged,
  hashInputs,
  updateInputHashes,
} from '../../../src/batch/run/input-hashes.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { manifestFile } from './pieces.js';

const nobody = new Map<string, string>();

it('tells a file that was changed, removed or added', async () => {
  const folder = makeTree({ a: '1' });
  const a = join(folder, 'a');
  const left = await hashInputs([a]);
  expect(areInputsUnchanged(await hashInputs([a]), left, nobody)).toBe(true);
  writeFileSync(a, '2');
  expect(areInputsUnchanged(await hashInputs([a]), left, nobody)).toBe(false);
  rmSync(a);
  expect(areInputsUnchanged(await hashInputs([a]), left, nobody)).toBe(false);
  expect(areInputsUnchanged({}, left, nobody)).toBe(false);
  expect(areInputsUnchanged({ ...left, b: 'new' }, left, nobody)).toBe(false);
});

it.each([
  ['changed', { a: 'new' }, { a: 'old' }, [['a', 'new']], true],
  ['made', { a: 'new' }, {}, [['a', 'new']], true],
  ['removed', {}, { a: 'old' }, [['a', undefined]], true],
  ['changed, and a person after it', { a: 'person' }, { a: 'old' }, [['a', 'new']], false],
  ['changed, and a person has removed', {}, { a: 'old' }, [['a', 'new']], false],
] as const)('knows what the batch itself has %s', (_, now, left, written, isUnchanged) => {
  expect(areInputsUnchanged(now, left, new Map(written))).toBe(isUnchanged);
});

it('takes what the step has done to its own inputs for how it has left them', () => {
  const files = [
    manifestFile('a', { sha256After: 'new' }),
    manifestFile('b', { kind: 'deleted', sha256After: undefined }),
    manifestFile('c'),
  ];
  const left = updateInputHashes({ '/w/a': 'old', '/w/b': 'old', '/w/d': 'old' }, files);
  expect(left).toEqual({ '/w/a': 'new', '/w/b': 'none', '/w/d': 'old' });
});
