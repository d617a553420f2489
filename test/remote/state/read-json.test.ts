import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readJson } from '../../../src/remote/state/read-json.js';

it('reads JSON, and nothing from a file that is missing, empty or damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'json-'));
  const read = (text: string): unknown => {
    const file = join(folder, 'file.json');
    writeFileSync(file, text);
    return readJson(file);
  };
  expect(readJson(join(folder, 'missing.json'))).toBeUndefined();
  expect([read('{"a":[1]}'), read('null'), read('"x"')]).toEqual([{ a: [1] }, null, 'x']);
  expect([read(''), read('{"a":'), read('\0\0\0')]).toEqual([undefined, undefined, undefined]);
});
