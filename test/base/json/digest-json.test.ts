import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestJson } from '../../../src/base/json/digest-json.js';

it('the digest of a value is the hash of its canonical JSON', () => {
  const expected = createHash('sha256').update('{"a":1,"b":[2]}').digest('hex');
  expect(digestJson({ b: [2], a: 1 })).toBe(expected);
  expect(digestJson({ a: 1, b: [2], c: undefined })).toBe(expected);
  expect(digestJson({ a: 1, b: [3] })).not.toBe(expected);
});

it('the digest of a value that JSON cannot express depends on its type, or on its description by the caller', () => {
  const [one, other] = [() => 1, () => 2];
  expect(digestJson({ one })).toBe(digestJson({ one: other }));
  expect(digestJson({ one }, String)).not.toBe(digestJson({ one: other }, String));
});
