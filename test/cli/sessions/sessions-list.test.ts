import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addSessionsCommand } from '../../../src/cli/sessions/sessions.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { APP, chat, gemini, PROJECTS, record } from '../../sessions/list/gemini-home.js';

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

  it('has the cost of each session and the sum, by prices of a file', async () => {
    const prices = join(
      makeFolder({ 'p.yaml': 'flash: { input: 50000, output: 250000 }\n' }),
      'p.yaml',
    );
    const { stdout } = await list('--cwd', APP, '--cost', '--prices', prices);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[1]).toMatch(/12 tokens · \$1\.00? · flash$/);
    expect(lines.at(-1)).toMatch(/^2 sessions: .*\$1\.00?.*, prices of \d{4}-\d{2}-\d{2}$/);
  });

  it('says for which models the price is unknown', async () => {
    const { stdout } = await list('--cwd', APP, '--cost');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^2 sessions: .*, without flash$/);
  });

  it('says that there are no sessions at all', async () => {
    vi.stubEnv('GEMINI_CLI_HOME', makeFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stderr } = await runCommandHere(addSessionsCommand, ['sessions', 'list', '--all']);
    expect(stderr).toBe('No sessions found in any project\n');
  });
});
