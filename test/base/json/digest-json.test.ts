import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestJson } from '../../../src/base/json/digest-json.js';

it('is the hash of the canonical JSON, the same whatever the order of keys', () => {
  const expected = createHash('sha256').update('{"a":1,"b":[2]}').digest('hex');
  expect(digestJson({ b: [2], a: 1 })).toBe(expected);
  expect(digestJson({ a: 1, b: [2], c: undefined })).toBe(expected);
  expect(digestJson({ a: 1, b: [3] })).not.toBe(expected);
});

it('knows what JSON cannot express by its type, or by what the caller says of it', () => {
  const [one, other] = [() => 1, () => 2];
  expect(digestJson({ one })).toBe(digestJson({ one: other }));
  expect(digestJson({ one }, String)).not.toBe(digestJson({ one: other }, String));
});
