import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import { sha256 } from '../../../src/base/fs/fingerprint.js';
import { addFailedWrites } from '../../../src/step/manifest/failed-writes.js';
import { OriginalContents } from '../../../src/step/manifest/original-contents.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const failed: ToolCall = {
  id: 'w1',
  name: 'write_file',
  input: { file_path: 'a.txt', content: 'new' },
  outcome: 'failed',
};

/** Announces the call, as the event of the agent does, and lets the disk change. */
async function find(files: Record<string, string>, act: (folder: string) => void, call = failed) {
  const workingDir = makeFolder(files);
  const originalContents = new OriginalContents(workingDir, { sinceMs: Date.now() + 60_000 });
  originalContents.accept({
    type: 'tool-invocation',
    callId: call.id,
    toolName: call.name,
    kind: 'edit',
    category: 'file-write',
    input: call.input,
  });
  act(workingDir);
  const request = { workingDir, toolCalls: [call], originalContents, sinceMs: 0 };
  return { workingDir, changes: await addFailedWrites(undefined, request) };
}
const write = (content: string) => (folder: string) =>
  writeFileSync(join(folder, 'a.txt'), content);

describe('a failed write', () => {
  it('is in the manifest if it has destroyed the old content', async () => {
    const { workingDir, changes } = await find({ 'a.txt': 'precious' }, write('part of'));
    expect(changes).toEqual([
      {
        path: join(workingDir, 'a.txt'),
        before: expect.objectContaining({ sha256: sha256('precious') }),
        writers: [failed],
      },
    ]);
  });

  it('is in the manifest if it has left a part of a new file', async () => {
    const { changes } = await find({}, write('part of'));
    expect(changes).toMatchObject([{ before: null, writers: [failed] }]);
  });

  it.each([
    ['the file is as it was', { 'a.txt': 'precious' }, () => {}],
    ['there is still no file', {}, () => {}],
  ])('is not in the manifest if %s', async (_, files, act) => {
    expect((await find(files, act)).changes).toBeUndefined();
  });

  it('counts too if it was interrupted', async () => {
    const pending = { ...failed, outcome: 'pending' as const };
    const { changes } = await find({ 'a.txt': 'precious' }, write(''), pending);
    expect(changes).toMatchObject([{ writers: [pending] }]);
  });

  it('of a file whose old content is not known counts if the file has changed since the step began', async () => {
    const workingDir = makeFolder({ 'a.txt': 'x' });
    const originalContents = new OriginalContents(workingDir, { sinceMs: 0 });
    const request = { workingDir, toolCalls: [failed], originalContents };
    expect(await addFailedWrites([], { ...request, sinceMs: 0 })).toMatchObject([
      { path: join(workingDir, 'a.txt'), before: undefined },
    ]);
    expect(await addFailedWrites([], { ...request, sinceMs: Date.now() + 60_000 })).toEqual([]);
  });

  it('names the writer of a change that the comparison has found', async () => {
    const workingDir = makeFolder({ 'a.txt': 'x' });
    const originalContents = new OriginalContents(workingDir, { sinceMs: 0 });
    const path = join(workingDir, 'a.txt');
    const request = { workingDir, toolCalls: [failed], originalContents, sinceMs: 0 };
    expect(await addFailedWrites([{ path, before: null }], request)).toEqual([
      { path, before: null, writers: [failed] },
    ]);
  });
});
