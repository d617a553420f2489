import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ManifestFile } from '../../src/api/manifest.js';
import { CheckSideEffects } from '../../src/step/check-side-effects.js';
import { makeFolder } from '../fixtures/cli/support.js';

function inManifest(absolutePath: string): ManifestFile {
  return {
    path: absolutePath,
    absolutePath,
    kind: 'created',
    tools: [],
    toolIds: [],
    bytes: 1,
    sha256After: createHash('sha256').update(readFileSync(absolutePath)).digest('hex'),
    confirmed: true,
    outsideWorkspace: false,
  };
}

describe('file changes by the commands of a check', () => {
  it('are side effects until the agent changes the file', async () => {
    const folder = makeFolder({ made: 'by a command', gone: 'x' });
    const [made, gone] = [join(folder, 'made'), join(folder, 'gone')];
    rmSync(gone);
    const traces = new CheckSideEffects();
    await traces.collect([], [made, gone]);
    expect([await traces.isSideEffectOnly(made), await traces.isSideEffectOnly(gone)]).toEqual([
      true,
      true,
    ]);
    writeFileSync(made, 'by the agent');
    writeFileSync(gone, 'back again');
    expect([await traces.isSideEffectOnly(made), await traces.isSideEffectOnly(gone)]).toEqual([
      false,
      false,
    ]);
  });

  it('are not only side effects if the agent wrote the file before', async () => {
    const path = join(makeFolder({ a: 'rough' }), 'a');
    const traces = new CheckSideEffects();
    const before = [inManifest(path)];
    writeFileSync(path, 'formatted');
    await traces.collect(before, [path]);
    expect([await traces.isSideEffectOnly(path), await traces.isAsCheckLeft(path)]).toEqual([
      false,
      true,
    ]);
    writeFileSync(path, 'other');
    expect(await traces.isAsCheckLeft(path)).toBe(false);
  });

  it('are empty if the commands changed no file', async () => {
    const path = join(makeFolder({ a: 'x' }), 'a');
    const traces = new CheckSideEffects();
    await traces.collect([inManifest(path)], [path]);
    expect([await traces.isSideEffectOnly(path), await traces.isAsCheckLeft(path)]).toEqual([
      false,
      false,
    ]);
  });
});
