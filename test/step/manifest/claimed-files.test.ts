import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import type { RecordedEdit } from '../../../src/sessions/files/read-session-evidence.js';
import { collectClaimedFiles } from '../../../src/step/manifest/claimed-files.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const write = (id: string, path: string, content = 'x'): ToolCall => ({
  id,
  name: 'write_file',
  input: { file_path: path, content },
  outcome: 'completed',
});
const replace = (id: string, path: string, to: string): ToolCall => ({
  id,
  name: 'replace',
  input: { file_path: path, old_string: 'a', new_string: to },
  outcome: 'completed',
});
const edit = (toolId: string, path: string, more: Partial<RecordedEdit> = {}): RecordedEdit => ({
  tool: 'write_file',
  toolId,
  path,
  before: undefined,
  after: 'x',
  ...more,
});

function claim(calls: readonly ToolCall[], edits: readonly RecordedEdit[] = []) {
  const claims = collectClaimedFiles(calls, edits, '/projects/dir');
  return [...claims].map(([key, { absolutePath, tools, toolIds, recordedBefore }]) => {
    return { key, absolutePath, tools, toolIds, recordedBefore };
  });
}

describe('claims of the tools', () => {
  it('have one entry for each file, with every call that wrote it', () => {
    const calls = [
      write('1', 'a.txt'),
      replace('2', './a.txt', 'b'),
      write('3', '/projects/dir/a.txt'),
    ];
    expect(claim([...calls, write('4', '../b.txt')])).toEqual([
      {
        key: '/projects/dir/a.txt',
        absolutePath: '/projects/dir/a.txt',
        tools: ['write_file', 'replace'],
        toolIds: ['1', '2', '3'],
        recordedBefore: undefined,
      },
      {
        key: '/projects/b.txt',
        absolutePath: '/projects/b.txt',
        tools: ['write_file'],
        toolIds: ['4'],
        recordedBefore: undefined,
      },
    ]);
  });

  it('leave out calls that failed, are pending or write no file', () => {
    const calls: ToolCall[] = [
      { ...write('1', 'a.txt'), outcome: 'failed' },
      { ...write('2', 'b.txt'), outcome: 'pending' },
      { ...write('3', 'c.txt'), name: 'read_file' },
      { ...write('4', 'd.txt'), name: 'run_shell_command' },
      { ...write('5', 'e.txt'), input: {} },
      { ...write('6', 'f.txt'), input: { file_path: 6 } },
    ];
    expect(claim(calls)).toEqual([]);
  });

  it('have one entry for a symlink and its target, under the name that came first', () => {
    const folder = makeFolder({ 'real.txt': '' });
    symlinkSync('real.txt', join(folder, 'link.txt'));
    const calls = [write('1', join(folder, 'link.txt')), write('2', join(folder, 'real.txt'))];
    expect(claim(calls)).toMatchObject([
      {
        key: join(folder, 'real.txt'),
        absolutePath: join(folder, 'link.txt'),
        toolIds: ['1', '2'],
      },
    ]);
  });

  it('have the old content of the first call from the session file, null for a new file', () => {
    const edits = [
      edit('1', '/projects/dir/a.txt', { before: 'old' }),
      edit('2', '/projects/dir/a.txt', { before: 'between' }),
      edit('3', '/projects/dir/b.txt'),
    ];
    const calls = [write('1', 'a.txt'), write('2', 'a.txt'), write('3', 'b.txt')];
    expect(claim(calls, edits).map(({ recordedBefore }) => recordedBefore)).toEqual(['old', null]);
  });

  it('use the path in the session file if a hook redirected the call to another file', () => {
    expect(claim([write('1', 'a.txt')], [edit('1', '/projects/dir/b.txt')])).toMatchObject([
      { absolutePath: '/projects/dir/b.txt', toolIds: ['1'] },
    ]);
  });

  it('contain edits that only the session file has: those of sub-agents, and calls without a path', () => {
    const nameless = { ...write('1', ''), input: {} };
    const edits = [
      edit('1', '/projects/dir/a.txt'),
      edit('sub', '/projects/dir/b.txt', { tool: 'replace' }),
    ];
    expect(claim([nameless], edits)).toMatchObject([
      { absolutePath: '/projects/dir/a.txt', tools: ['write_file'], toolIds: ['1'] },
      { absolutePath: '/projects/dir/b.txt', tools: ['replace'], toolIds: ['sub'] },
    ]);
  });
});

describe('the content that a claim expects', () => {
  const expects = (content: string, calls: ToolCall[], edits: RecordedEdit[] = []) => {
    const [first] = collectClaimedFiles(calls, edits, '/projects/dir').values();
    return first?.isExpected(content);
  };

  it.each([
    ['all of what write_file wrote', [write('1', 'a', 'x\ny\n')], 'x\ny\n', 'x\n'],
    ['whatever its line ends', [write('1', 'a', 'x\ny\n')], 'x\r\ny\r\n', 'x\ry\r'],
    ['the part that replace put in', [replace('1', 'a', 'in\n')], '1\r\nin\r\n2', '1 2'],
    ['that of the last call', [write('1', 'a', 'x'), write('2', 'a', 'y')], 'y', 'x'],
  ])('is %s', (_what, calls, good, bad) => {
    expect(expects(good, calls)).toBe(true);
    expect(expects(bad, calls)).toBe(false);
  });

  it('is that of the session file if it has one', () => {
    const edits = [edit('1', '/projects/dir/a', { after: 'formatted' })];
    expect(expects('formatted', [write('1', 'a', 'raw')], edits)).toBe(true);
    expect(expects('raw', [write('1', 'a', 'raw')], edits)).toBe(false);
  });

  it('is any content if neither the call nor the session file has one', () => {
    expect(expects('any', [{ ...write('1', 'a'), input: { file_path: 'a' } }])).toBe(true);
  });
});
