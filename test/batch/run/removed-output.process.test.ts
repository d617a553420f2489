import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createScriptedProvider } from './scripted-provider.js';

const steps = ['a', 'b', 'c'].map((id) => ({ id, prompt: id }));

describe('an output folder that is removed while the batch runs', () => {
  it('comes back private and with the id of the batch, so that no result is lost', async () => {
    const out = join(makeTree(), 'out');
    const baseDir = makeTree();
    const provider = createScriptedProvider(({ prompt }) => {
      // As `git clean -fdx` does.
      if (prompt === 'b') rmSync(out, { recursive: true });
      return { text: prompt };
    });
    const run = () => runBatch({ steps, concurrency: 1 }, { out, provider, baseDir });
    expect((await run()).outcome).toBe('succeeded');
    expect(statSync(out).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(out, '.gitignore'), 'utf8')).toBe('*\n');
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    expect(existsSync(join(out, 'steps', 'c', 'result.json'))).toBe(true);
    provider.calls.length = 0;
    const again = await run();
    expect(provider.calls).toEqual([]);
    expect(again.warnings).toEqual([]);
    expect(again.steps.map(({ reused }) => reused)).toEqual([true, true, true]);
  });
});

it('the report of a batch that was stopped or cancelled says by what', async () => {
  const end = async (how: 'stop' | 'cancel', cause?: string) => {
    const provider = createScriptedProvider(() => {
      batch[how](cause);
      return {};
    });
    const batch = runBatch({ steps, concurrency: 1 }, { provider, baseDir: makeTree() });
    return (await batch).stop;
  };
  const rest = 'Run the same command again to continue with the remaining steps.';
  expect(await end('stop', 'by Ctrl-C')).toEqual({
    reason: 'interrupted',
    message: `The batch was stopped by Ctrl-C. ${rest}`,
  });
  expect(await end('cancel')).toEqual({
    reason: 'cancelled',
    message: `The batch was cancelled. ${rest}`,
  });
});
