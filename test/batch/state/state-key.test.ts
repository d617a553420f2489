import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSealedFile, writeSealedFile } from '../../../src/batch/state/sealed-file.js';
import { findSeal, openStateKey } from '../../../src/batch/state/state-key.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { withVariables } from '../isolation/support.js';

const VARIABLE = 'GEMINI_CLI_PROVIDER_STATE_KEY';

describe('the key of a state folder', () => {
  it('is created once, readable by its owner only (claim: state-private)', () => {
    const folder = makeTree();
    expect(findSeal(folder)).toBeUndefined();
    const text = openStateKey(folder).seal('p', '1');
    expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['key']);
    expect(openStateKey(folder).unseal('p', text).kind).toBe('valid');
  });

  it('is the variable, if the variable is set', () => {
    const folder = makeTree();
    withVariables({ [VARIABLE]: 'a long random text' });
    const text = openStateKey(folder).seal('p', '1');
    expect(readdirSync(folder)).toEqual([]);
    expect(openStateKey(makeTree()).unseal('p', text).kind).toBe('valid');
    withVariables({ [VARIABLE]: 'short' });
    expect(() => openStateKey(folder)).toThrow(/too short/);
  });

  it('makes all state foreign if the key file is damaged', () => {
    const folder = makeTree();
    const text = openStateKey(folder).seal('p', '1');
    const key = readFileSync(join(folder, 'key'));
    key[3] = (key[3] ?? 0) ^ 1;
    writeFileSync(join(folder, 'key'), key);
    expect(openStateKey(folder).unseal('p', text).kind).toBe('foreign');
  });
});

describe('a sealed file', () => {
  it('is valid under its own name only, and private', () => {
    const folder = makeTree();
    openStateKey(folder);
    const file = join(folder, 'a.json');
    writeSealedFile(file, { x: 1 });
    expect(readSealedFile(file)).toEqual({ kind: 'valid', value: { x: 1 } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'b.json'), readFileSync(file));
    expect(readSealedFile(join(folder, 'b.json'))).toEqual({ kind: 'damaged' });
    expect(readSealedFile(join(folder, 'none'))).toEqual({ kind: 'missing' });
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'b.json', 'key']);
  });

  it('leaves nothing behind if it cannot be written', () => {
    const folder = makeTree({ 'a.json/x': '' });
    expect(() => writeSealedFile(join(folder, 'a.json'), 1)).toThrow('EISDIR');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});
