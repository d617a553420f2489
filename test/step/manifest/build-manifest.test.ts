import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import { fileStateOf, sha256 } from '../../../src/base/fs/fingerprint.js';
import type { RecordedEdit } from '../../../src/sessions/files/read-session-evidence.js';
import { describeObstacles } from '../../../src/step/manifest/build-manifest.js';
import { OriginalContents } from '../../../src/step/manifest/original-contents.js';
import { addFiles, type Files, makeFolder } from '../../fixtures/cli/support.js';
import { buildInFolder, writeCall } from './build-in-folder.js';

const call = (id: string, name: string, input: Record<string, unknown> = {}): ToolCall => ({
  id,
  name,
  input,
  outcome: 'completed',
});
const old = (content: string) => fileStateOf(Buffer.from(content));
const edit = (
  toolId: string,
  path: string,
  was: string | undefined,
  after: string,
): RecordedEdit => {
  return { tool: 'write_file', toolId, path, before: was, after };
};

const announce = (path: string) => {
  const facts = { toolName: 'write_file', kind: 'edit', category: 'file-write' } as const;
  return { type: 'tool-invocation', callId: path, ...facts, input: { file_path: path } } as const;
};

/** Creates a workspace, reads its files as original contents, then writes the new files. */
function rewrite(was: Files, now: Files, announced = Object.keys({ ...was, ...now })) {
  const folder = makeFolder(was);
  const originals = new OriginalContents(folder, { sinceMs: Date.now() + 3_600_000 });
  for (const path of announced) originals.accept(announce(path));
  addFiles(folder, now);
  return { folder, originals };
}

describe('a file that a tool reports as written', () => {
  it('is described by its content on the disk', async () => {
    const { folder, originals } = rewrite(
      { 'b.txt': 'one\n' },
      { 'b.txt': 'two\n', 'a.txt': 'new\n' },
    );
    const toolCalls = [writeCall('1', 'b.txt', 'two\n'), writeCall('2', 'a.txt', 'new\n')];
    const { files, warnings } = await buildInFolder(folder, {
      toolCalls,
      originalContents: originals,
    });
    expect(files).toEqual([
      {
        path: 'a.txt',
        absolutePath: join(folder, 'a.txt'),
        kind: 'created',
        tools: ['write_file'],
        toolIds: ['2'],
        bytes: 4,
        sha256Before: undefined,
        sha256After: sha256('new\n'),
        diff: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+new\n',
        confirmed: true,
        outsideWorkspace: false,
        symlinkTarget: undefined,
      },
      expect.objectContaining({
        path: 'b.txt',
        kind: 'modified',
        sha256Before: sha256('one\n'),
        sha256After: sha256('two\n'),
        diff: '--- a/b.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n',
      }),
    ]);
    expect(warnings).toEqual([]);
  });

  it('is unchanged if it has the same content as before', async () => {
    const { folder, originals } = rewrite({ 'a.txt': 'same' }, { 'a.txt': 'same' });
    const { files } = await buildInFolder(folder, {
      toolCalls: [writeCall('1', 'a.txt', 'same')],
      originalContents: originals,
    });
    expect(files).toMatchObject([
      { kind: 'unchanged', diff: undefined, confirmed: true, bytes: 4 },
    ]);
  });

  it.each([
    ['no such file', {}, { kind: 'unchanged', bytes: 0, sha256After: undefined }],
    ['other content', { 'a.txt': 'other' }, { kind: 'created', bytes: 5 }],
  ])('is not confirmed if the disk shows %s', async (problem, now, expected) => {
    const { folder, originals } = rewrite({}, now, ['a.txt']);
    const toolCalls = [writeCall('1', 'a.txt', 'said')];
    const { files, warnings } = await buildInFolder(folder, {
      toolCalls,
      originalContents: originals,
    });
    expect(files).toMatchObject([{ ...expected, confirmed: false }]);
    const message = `a.txt: write_file reported success, but the disk shows ${problem}.`;
    expect(warnings).toEqual([{ code: 'FILE_NOT_CONFIRMED', message }]);
  });

  it.each([
    ['changed', { 'a.txt': 'said and more' }, { kind: 'created' }],
    ['removed', {}, { kind: 'unchanged', sha256After: undefined }],
  ])(
    'that a later command has %s is confirmed and attributed to both',
    async (_what, now, expected) => {
      const { folder, originals } = rewrite({}, now, ['a.txt']);
      const toolCalls = [
        call('0', 'run_shell_command'),
        writeCall('1', 'a.txt', 'said'),
        call('2', 'run_shell_command'),
        call('3', 'read_file'),
        { ...call('4', 'run_shell_command'), outcome: 'failed' } as const,
      ];
      const { files, warnings } = await buildInFolder(folder, {
        toolCalls,
        originalContents: originals,
      });
      const [tools, toolIds] = [
        ['write_file', 'run_shell_command'],
        ['1', '2'],
      ];
      expect(files).toMatchObject([{ ...expected, tools, toolIds, confirmed: true }]);
      expect(warnings).toEqual([]);
    },
  );

  it('is attributed to the edit alone if a later command did not change it', async () => {
    const { folder, originals } = rewrite({}, { 'a.txt': 'said' });
    const toolCalls = [writeCall('1', 'a.txt', 'said'), call('2', 'run_shell_command')];
    const { files } = await buildInFolder(folder, { toolCalls, originalContents: originals });
    expect(files).toMatchObject([{ tools: ['write_file'], toolIds: ['1'], confirmed: true }]);
  });

  it('is not confirmed if the only command ran before the last write', async () => {
    const { folder, originals } = rewrite({}, { 'a.txt': 'other' });
    const toolCalls = [
      writeCall('1', 'a.txt', 'one'),
      call('2', 'run_shell_command'),
      writeCall('3', 'a.txt', 'two'),
    ];
    const { files, warnings } = await buildInFolder(folder, {
      toolCalls,
      originalContents: originals,
    });
    expect(files).toMatchObject([{ tools: ['write_file'], toolIds: ['1', '3'], confirmed: false }]);
    expect(warnings).toMatchObject([{ code: 'FILE_NOT_CONFIRMED' }]);
  });

  it('takes its old state from the session file if there is no other source', async () => {
    const folder = makeFolder({ 'a.txt': 'two\n', 'b.txt': 'new\n', 'c.txt': 'two\r\n' });
    const path = (name: string) => join(folder, name);
    const toolCalls = [
      writeCall('1', 'a.txt', 'two\n'),
      writeCall('2', 'b.txt', 'new\n'),
      writeCall('3', 'c.txt', 'two\n'),
    ];
    const edits = [
      edit('1', path('a.txt'), 'one\n', 'two\n'),
      edit('2', path('b.txt'), undefined, 'new\n'),
      edit('3', path('c.txt'), 'one\n', 'two\n'),
    ];
    const { files } = await buildInFolder(folder, { toolCalls, edits });
    expect(files).toMatchObject([
      { kind: 'modified', sha256Before: sha256('one\n') },
      { kind: 'created', sha256Before: undefined },
      // The session file has `\n` line ends and the file has others, so there is no hash.
      { kind: 'modified', sha256Before: undefined },
    ]);
    expect(files[0]?.diff).toContain('-one\n+two\n');
    expect(files[1]?.diff).toContain('+new\n');
  });

  it('is modified and has no diff if its old state is unknown', async () => {
    const folder = makeFolder({ 'a.txt': 'x' });
    const { files } = await buildInFolder(folder, { toolCalls: [writeCall('1', 'a.txt', 'x')] });
    expect(files).toMatchObject([{ kind: 'modified', sha256Before: undefined, diff: undefined }]);
  });
});

describe('a file that the comparison found', () => {
  it('is merged with the report of a tool about the same file', async () => {
    const folder = makeFolder({ 'a.txt': 'two' });
    const changes = [{ path: join(folder, 'a.txt'), before: old('one') }];
    const { files } = await buildInFolder(folder, {
      toolCalls: [writeCall('1', 'a.txt', 'two')],
      changes,
    });
    expect(files).toMatchObject([
      { kind: 'modified', tools: ['write_file'], toolIds: ['1'], sha256Before: sha256('one') },
    ]);
    expect(files[0]?.diff).toContain('-one');
  });

  it.each([
    [
      'shell commands',
      ['run_shell_command', 'run_shell_command'],
      ['run_shell_command'],
      ['0', '1'],
    ],
    ['nothing that writes unseen', ['read_file'], ['unknown'], []],
    ['a shell command and an agent', ['run_shell_command', 'invoke_agent'], ['unknown'], []],
    ['a tool of an MCP server', ['mcp_server_tool'], ['unknown'], []],
  ])('names the tools that may have written it after %s', async (_what, ran, tools, toolIds) => {
    const folder = makeFolder({ 'a.txt': 'x' });
    const changes = [{ path: join(folder, 'a.txt'), before: null }];
    const toolCalls = ran.map((name, index) => call(String(index), name));
    const { files } = await buildInFolder(folder, { toolCalls, changes });
    expect(files).toMatchObject([{ kind: 'created', tools, toolIds, confirmed: true }]);
  });

  it('is deleted if it does not exist any more, also if its old content is unknown', async () => {
    const folder = makeFolder({ 'b.txt': 'now' });
    const changes = [
      { path: join(folder, 'a.txt'), before: old('old\n') },
      { path: join(folder, 'b.txt'), before: undefined },
    ];
    const { files } = await buildInFolder(folder, { changes });
    expect(files).toMatchObject([
      { path: 'a.txt', kind: 'deleted', bytes: 0, sha256After: undefined },
      { path: 'b.txt', kind: 'modified', sha256Before: undefined, diff: undefined },
    ]);
    expect(files[0]?.diff).toBe('--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-old\n');
  });
});

describe('a report about an impossible path', () => {
  it('is not confirmed and does not break the manifest', async () => {
    const folder = makeFolder({ dir: 'a file', 'b.txt': 'b' });
    const toolCalls = [writeCall('1', 'dir/a.txt', 'x'), writeCall('2', 'b.txt', 'b')];
    const { files, warnings } = await buildInFolder(folder, { toolCalls });
    expect(files.map(({ path, confirmed }) => [path, confirmed])).toEqual([
      ['b.txt', true],
      ['dir/a.txt', false],
    ]);
    expect(warnings).toMatchObject([{ code: 'FILE_NOT_CONFIRMED' }]);
  });
});

describe('paths that could not be compared', () => {
  it('give one warning for each reason, with their number', () => {
    const changes = (['name', undefined, 'access', 'name'] as const).map((obstacle) => {
      return { path: '/a', before: undefined, obstacle };
    });
    expect(describeObstacles(changes)).toEqual([
      {
        code: 'WORKSPACE_NOT_COMPARED',
        message: 'Files or folders not compared because their names are not UTF-8: 2.',
        count: 2,
      },
      {
        code: 'WORKSPACE_NOT_COMPARED',
        message: 'Folders not compared because they cannot be read: 1.',
        count: 1,
      },
    ]);
    expect(describeObstacles([])).toEqual([]);
  });
});
