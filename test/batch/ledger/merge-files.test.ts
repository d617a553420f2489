import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ManifestFile } from '../../../src/api/manifest.js';
import { mergeFiles } from '../../../src/batch/ledger/merge-files.js';
import { manifestFile } from '../run/pieces.js';

/** Returns the manifest of a file with these contents before and after. */
function change(before: string | undefined, after: string | undefined): ManifestFile[] {
  if (before === undefined && after === undefined) return [];
  const kind =
    before === undefined
      ? 'created'
      : after === undefined
        ? 'deleted'
        : before === after
          ? 'unchanged'
          : 'modified';
  const hashes = {
    ...(before === undefined ? {} : { sha256Before: before }),
    sha256After: after,
  };
  return [manifestFile('x', { kind, ...hashes })];
}

it('merged manifests equal one manifest from before the first to after the last', () => {
  const state = fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined });
  fc.assert(
    fc.property(fc.array(state, { minLength: 2, maxLength: 6 }), (history) => {
      const manifests = history.slice(1).map((after, at) => change(history[at], after));
      const [merged] = mergeFiles(manifests);
      const [expected] = change(history[0], history.at(-1));
      expect(merged?.kind).toBe(expected?.kind);
      expect(merged?.sha256Before).toBe(expected?.sha256Before);
      expect(merged?.sha256After).toBe(expected?.sha256After);
    }),
  );
});

it('a merged file keeps a diff only if the diff covers all changes', () => {
  const first = manifestFile('x', { diff: 'one' });
  const second = manifestFile('x', { kind: 'modified', sha256Before: 'after', diff: 'two' });
  const nothing = manifestFile('x', { kind: 'unchanged', sha256Before: 'after' });
  expect(mergeFiles([[first], [nothing]])[0]?.diff).toBe('one');
  expect(mergeFiles([[first], [second]])[0]?.diff).toBe(undefined);
  expect(mergeFiles([[nothing], [second]])[0]?.diff).toBe('two');
});

it('merged manifests keep files with the same name in two folders apart, and combine the tools of a file', () => {
  const here = manifestFile('x', { tools: ['a'] });
  const there = manifestFile('x', { absolutePath: '/v/x' });
  const merged = mergeFiles([[here, there], [manifestFile('x', { tools: ['b'] })]]);
  expect(merged.map(({ absolutePath, tools }) => [absolutePath, tools])).toEqual([
    ['/w/x', ['a', 'b']],
    ['/v/x', ['write_file']],
  ]);
});
