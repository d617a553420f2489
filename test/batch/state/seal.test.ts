import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Seal } from '../../../src/batch/state/seal.js';

const seal = new Seal('key', 'the key');

it('a sealed text is read back for its own purpose and key only', () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (content, purpose) => {
      const text = seal.seal(purpose, content);
      expect(seal.unseal(purpose, text)).toEqual({ kind: 'valid', content });
      expect(seal.unseal(`${purpose}.`, text)).toEqual({ kind: 'foreign' });
      expect(new Seal('other', '').unseal(purpose, text)).toEqual({ kind: 'foreign' });
    }),
  );
});

it('every flipped bit of a sealed text is damage, never another key (claim: state-signed)', () => {
  const whole = Buffer.from(seal.seal('p', '{"a":[1,"zwölf"]}'));
  for (let at = 0; at < whole.length * 8; at++) {
    const flipped = Buffer.from(whole);
    flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7));
    expect(seal.unseal('p', flipped.toString())).toEqual({ kind: 'damaged' });
  }
});
