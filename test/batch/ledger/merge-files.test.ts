import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ManifestFile } from '../../../src/api/manifest.js';
import { mergeFiles } from '../../../src/batch/ledger/merge-files.js';
import { manifestFile } from '../run/pieces.js';

/** What a manifest says of a file that was this before and is that after. */
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

it('sees any number of runs as one from before the first to after the last', () => {
  const state = fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined });
  fc.assert(
    fc.property(fc.array(state, { minLength: 2, maxLength: 6 }), (history) => {
      const runs = history.slice(1).map((after, at) => change(history[at], after));
      const [merged] = mergeFiles(runs);
      const [expected] = change(history[0], history.at(-1));
      expect(merged?.kind).toBe(expected?.kind);
      expect(merged?.sha256Before).toBe(expected?.sha256Before);
      expect(merged?.sha256After).toBe(expected?.sha256After);
    }),
  );
});

it('keeps a diff only where it is that of the whole', () => {
  const first = manifestFile('x', { diff: 'one' });
  const second = manifestFile('x', { kind: 'modified', sha256Before: 'after', diff: 'two' });
  const nothing = manifestFile('x', { kind: 'unchanged', sha256Before: 'after' });
  expect(mergeFiles([[first], [nothing]])[0]?.diff).toBe('one');
  expect(mergeFiles([[first], [second]])[0]?.diff).toBe(undefined);
  expect(mergeFiles([[nothing], [second]])[0]?.diff).toBe('two');
});

it('keeps apart what only has the same name, and unites the tools', () => {
  const here = manifestFile('x', { tools: ['a'] });
  const there = manifestFile('x', { absolutePath: '/v/x' });
  const merged = mergeFiles([[here, there], [manifestFile('x', { tools: ['b'] })]]);
  expect(merged.map(({ absolutePath, tools }) => [absolutePath, tools])).toEqual([
    ['/w/x', ['a', 'b']],
    ['/v/x', ['write_file']],
  ]);
});
