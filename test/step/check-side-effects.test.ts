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

describe('what the commands of a check do to files', () => {
  it('is theirs, until the agent changes it', async () => {
    const folder = makeFolder({ made: 'by a command', gone: 'x' });
    const [made, gone] = [join(folder, 'made'), join(folder, 'gone')];
    rmSync(gone);
    const traces = new CheckSideEffects();
    await traces.note([], [made, gone]);
    expect([await traces.isTheirs(made), await traces.isTheirs(gone)]).toEqual([true, true]);
    writeFileSync(made, 'by the agent');
    writeFileSync(gone, 'back again');
    expect([await traces.isTheirs(made), await traces.isTheirs(gone)]).toEqual([false, false]);
  });

  it('is not theirs alone where the agent wrote the file before', async () => {
    const path = join(makeFolder({ a: 'rough' }), 'a');
    const traces = new CheckSideEffects();
    const before = [inManifest(path)];
    writeFileSync(path, 'formatted');
    await traces.note(before, [path]);
    expect([await traces.isTheirs(path), await traces.isAsLeft(path)]).toEqual([false, true]);
    writeFileSync(path, 'other');
    expect(await traces.isAsLeft(path)).toBe(false);
  });

  it('is nothing where they have left the files alone', async () => {
    const path = join(makeFolder({ a: 'x' }), 'a');
    const traces = new CheckSideEffects();
    await traces.note([inManifest(path)], [path]);
    expect([await traces.isTheirs(path), await traces.isAsLeft(path)]).toEqual([false, false]);
  });
});
