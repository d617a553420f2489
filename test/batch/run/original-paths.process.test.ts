import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { KINDS, makeRepository } from '../isolation/support.js';
import { createScriptedProvider } from './scripted-provider.js';

it.each(KINDS)(
  'events and events.jsonl of a step with isolation %s name the original paths',
  async (isolation) => {
    const { folder } = makeRepository({ 'a.txt': 'one\n' });
    const out = join(makeTree(), 'out');
    const provider = createScriptedProvider(() => ({ write: { 'new.txt': 'x' } }));
    const steps = [{ id: 's', prompt: 'write', workingDir: folder, isolation }];
    const events: string[] = [];
    const batch = runBatch({ steps }, { out, provider, baseDir: folder });
    for await (const event of batch) {
      if (event.type === 'step-progress') events.push(JSON.stringify(event.event));
    }
    const { workingDir = '' } = provider.calls[0] ?? {};
    expect(workingDir).not.toBe(folder);
    expect(events.join()).toContain(join(folder, 'new.txt'));
    expect(events.join()).not.toContain(workingDir);
    const stored = readFileSync(join(out, 'steps', 's', 'events.jsonl'), 'utf8');
    expect(stored).toContain(join(folder, 'new.txt'));
    expect(stored).not.toContain(workingDir);
  },
);
