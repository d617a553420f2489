import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { addSessionsCommand } from '../../../src/cli/sessions/sessions.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';

const fixtures = fileURLToPath(new URL('../../fixtures/sessions/', import.meta.url));
const FILE = join(fixtures, 'headless_write_replace_shell.jsonl');

function sessions(...args: string[]) {
  return runCommandHere(addSessionsCommand, ['sessions', ...args]);
}

describe('sessions show', () => {
  it('prints a transcript', async () => {
    const { stdout, stderr } = await sessions('show', '--file', FILE);
    expect(stdout).toContain('Session 2ddec303-3fba-47b6-b57b-c48096f008e4');
    expect(stdout).toContain('  Writing.\n  ✓ Write hello.ts +1 -0\n');
    expect(stdout).toContain('  ✗ Read nope.txt File not found');
    expect(stdout).not.toContain('session_context');
    expect(stderr).toBe('');
  });

  it('prints the unified messages as one array', async () => {
    const expected = toUnifiedMessages(await readSession(FILE));
    for (const args of [['--json'], ['--format', 'unified', '--json']]) {
      const { stdout } = await sessions('show', '--file', FILE, ...args);
      expect(JSON.parse(stdout)).toEqual(expected);
    }
  });

  it('prints the unified messages line by line without --json, all of them with --extras', async () => {
    const { stdout } = await sessions('show', '--file', FILE, '--format', 'unified', '--extras');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ mark }) => mark ?? '-')).toEqual([
      'session-context',
      '-',
      '-',
      'tool-response',
      '-',
      'tool-response',
      '-',
    ]);
  });

  it('prints the recorded messages with --format raw', async () => {
    const { stdout } = await sessions('show', '--file', FILE, '--format', 'raw', '--json');
    expect(JSON.parse(stdout)).toEqual((await readSession(FILE)).messages);
  });

  it('warns about the unreadable part of a damaged file', async () => {
    const folder = makeTree({ 'torn.jsonl': `${readFileSync(FILE, 'utf8')}{"id":"x` });
    const { stdout, stderr } = await sessions('show', '--file', join(folder, 'torn.jsonl'));
    expect(stdout).toContain('All done.');
    expect(stderr).toContain('incomplete last line');
  });

  it('prints an empty array for a file without messages', async () => {
    const folder = makeTree({ 'empty.jsonl': '' });
    const { stdout } = await sessions('show', '--file', join(folder, 'empty.jsonl'), '--json');
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it.each([
    [['show', 'latest', '--file', FILE], 'give either a session or --file'],
    [['show', '--file', FILE, '--format', 'text', '--json'], '--json needs --format'],
    [['show', '--file', FILE, '--format', 'yaml'], 'Allowed choices are'],
    [['list', '--limit', '0'], 'Give a whole number'],
  ])('refuses %j', async (args, complaint) => {
    expect((await sessions(...args)).stderr).toContain(complaint);
  });

  it.each([
    ['a file that is not there', ['--file', 'nope.jsonl'], 'There is no session file'],
    ['a session that is not there', ['0000000000'], 'There is no session 0000000000'],
  ])('fails for %s', async (_what, args, message) => {
    await expect(sessions('show', ...args)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });
});

describe('sessions export', () => {
  it('writes a document', async () => {
    const out = join(makeTree(), 'session.md');
    const { stdout } = await sessions('export', '--file', FILE, '--out', out);
    expect(stdout).toBe('');
    expect(readFileSync(out, 'utf8')).toContain('- ✓ **Edit** `hello.ts` (+1 −1)');
  });

  it('prints the document without --out', async () => {
    expect((await sessions('export', '--file', FILE)).stdout).toMatch(/^# Session 2ddec303/);
  });

  it('names the reason if the file cannot be written', async () => {
    const out = join(makeTree(), 'no', 'such', 'folder.md');
    await expect(sessions('export', '--file', FILE, '--out', out)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('ENOENT'),
    });
  });
});
