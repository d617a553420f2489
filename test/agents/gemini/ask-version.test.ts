import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { askVersion } from '../../../src/agents/gemini/ask-version.js';
import { findCli } from '../../../src/agents/gemini/find-cli.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { makeFolder, program } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

const ask = (cliPath: string, signal = new AbortController().signal) => {
  return askVersion(findCli({ cliPath, workingDir: '/', env: {} }), {}, signal);
};

/** Temp folder of this test. */
function moveTemp(path: string): void {
  vi.stubEnv('TMPDIR', path);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('asking for the version', () => {
  it.each([
    ['quick.sh', '0.61.0'],
    ['garbage.mjs', undefined],
    ['without-policy.mjs', undefined],
  ])('gets a final answer from %s', async (name, version) => {
    expect(await ask(program(name))).toEqual({ version, isFinal: true });
  });

  it('leaves nothing in the temp folder', async () => {
    const temp = makeFolder();
    moveTemp(temp);
    await ask(program('quick.sh'));
    await ask(program('quick.sh'), AbortSignal.abort());
    expect(readdirSync(temp)).toEqual([]);
  });

  it('stops a program that prints too much, and reads the beginning of its output', async () => {
    const endless = { 'gemini*': '#!/bin/sh\nexec yes 0.61.0\n' };
    const answer = { version: '0.61.0', isFinal: true };
    expect(await ask(join(makeFolder(endless), 'gemini'))).toEqual(answer);
    const onBoth = { 'gemini*': '#!/bin/sh\necho 0.61.0\nexec yes >&2\n' };
    expect(await ask(join(makeFolder(onBoth), 'gemini'))).toEqual(answer);
    // A sparse file, larger than any string: reading all of it would fail.
    const huge = { 'gemini*': '#!/bin/sh\necho 0.61.0\ntruncate -s 3G /proc/self/fd/1\n' };
    expect(await ask(join(makeFolder(huge), 'gemini'))).toEqual(answer);
  });

  it('gets no final answer after an abort, or without a temp folder', async () => {
    const open = { version: undefined, isFinal: false };
    expect(await ask(program('waiting.mjs'), AbortSignal.abort())).toEqual(open);
    moveTemp(join(makeFolder(), 'missing'));
    expect(await ask(program('quick.sh'))).toEqual(open);
  });
});
