import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeName } from '../../../src/batch/run/safe-name.js';

it('a plain id is its own file name', () => {
  expect(['a', 'step-1.b_c'].map(safeName)).toEqual(['a', 'step-1.b_c']);
});

it('each id gets a unique file name that every file system accepts', () => {
  const id = fc.oneof(
    fc.string(),
    fc.constantFrom('.', '..', 'A', 'a', 'a/b', 'a_b', 'a[x.ts]', 'a[X.ts]', 'x'.repeat(300), ''),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 20 }), (ids) => {
      const names = ids.map(safeName);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
      for (const name of names) expect(name).toMatch(/^(?!\.+$)[\w.-]{1,90}$/);
    }),
  );
});
