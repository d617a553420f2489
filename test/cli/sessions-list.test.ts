import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addSessionsCommand } from '../../src/cli/sessions.js';
import { makeTree } from '../base/fs/make-tree.js';
import { runCommandHere } from '../fixtures/cli/in-process.js';
import { APP, chat, gemini, PROJECTS, record } from '../sessions/list/gemini-home.js';

const FIRST = '11111111-aaaa';
const SECOND = '22222222-bbbb';
const FOREIGN = '33333333-cccc';

function list(...args: string[]) {
  const files = {
    ...PROJECTS,
    [chat(FIRST)]: record(FIRST, { at: 1, prompt: 'Say\nhello', records: [gemini('1')] }),
    [chat(SECOND)]: record(SECOND, { at: 2, records: [{ $set: { summary: 'A summary' } }] }),
    [chat(FOREIGN, 'other')]: record(FOREIGN, { at: 3 }),
  };
  const inHome = Object.entries(files).map(([path, text]) => [`.gemini/${path}`, text]);
  vi.stubEnv('GEMINI_CLI_HOME', makeTree(Object.fromEntries(inHome)));
  onTestFinished(() => void vi.unstubAllEnvs());
  return runCommandHere(addSessionsCommand, ['sessions', 'list', ...args]);
}

describe('sessions list', () => {
  it('lists the sessions of a project with their numbers, newest first', async () => {
    const { stdout } = await list('--cwd', APP);
    expect(stdout.trimEnd().split('\n')).toEqual([
      '  2  22222222  2026-11-16 00:02  A summary  1 message · 0 tokens',
      '  1  11111111  2026-11-16 00:01  Say hello  2 messages · 12 tokens · flash',
    ]);
  });

  it('lists the sessions of all projects, each with its project', async () => {
    const { stdout } = await list('--all', '--limit', '2');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('33333333');
    expect(lines[0]).toMatch(/other$/);
    expect(lines[1]).toMatch(/\/projects\/app$/);
  });

  it('prints the sessions as one JSON array', async () => {
    const { stdout } = await list('--cwd', APP, '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { id: SECOND, summary: 'A summary', number: 2 },
      { id: FIRST, firstPrompt: 'Say hello', messageCount: 2, tokens: { total: 12 } },
    ]);
  });

  it('names the project if it has no sessions', async () => {
    const { stdout, stderr } = await list('--cwd', '/projects/unknown');
    expect([stdout, stderr]).toEqual([
      '',
      'No sessions found for /projects/unknown (--all lists all projects)\n',
    ]);
  });
});
