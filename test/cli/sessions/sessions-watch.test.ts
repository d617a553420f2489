import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addSessionsCommand } from '../../../src/cli/sessions/sessions.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { APP, chat, PROJECTS, record } from '../../sessions/list/gemini-home.js';

const line = (record: object): string => `${JSON.stringify(record)}\n`;
const HEADER = line({ sessionId: 's1', projectHash: 'x', kind: 'main' });
const QUESTION = line({ id: 'q', type: 'user', content: 'Do it' });
const ANSWER = line({ id: 'a', type: 'gemini', content: 'Working.' });

/** Watches a session file while `change` writes to it, then sends the command SIGINT. */
async function watch(
  change: (file: string, shown: () => string) => Promise<void>,
  ...flags: string[]
) {
  const file = join(makeFolder({ 's.jsonl': `${HEADER}${QUESTION}` }), 's.jsonl');
  return watchWith(['--file', file, ...flags], (shown) => change(file, shown));
}

/** Runs the command while `change` writes, then sends it a signal. */
async function watchWith(
  args: readonly string[],
  change: (shown: () => string) => Promise<void>,
  signal: 'SIGINT' | 'SIGHUP' = 'SIGINT',
) {
  const before = process.listenerCount('SIGINT');
  const running = runCommandHere(addSessionsCommand, ['sessions', 'watch', ...args]);
  const writes = [vi.mocked(process.stdout.write), vi.mocked(process.stderr.write)];
  await change(() =>
    writes.flatMap(({ mock }) => mock.calls.map(([chunk]) => String(chunk))).join(''),
  );
  process.listeners(signal).at(-1)?.(signal);
  const run = await running;
  expect(process.listenerCount('SIGINT')).toBe(before);
  return run;
}

const seen = (shown: () => string, text: string) =>
  vi.waitUntil(() => shown().includes(text), { timeout: 10_000 });

describe('sessions watch', () => {
  it('prints new messages, removed messages, and the loss of the file', async () => {
    const { stdout } = await watch(async (file, shown) => {
      await seen(shown, 'Do it');
      appendFileSync(file, ANSWER);
      await seen(shown, 'Working.');
      appendFileSync(file, line({ $rewindTo: 'a' }));
      await seen(shown, ' removed)');
      rmSync(file);
      await seen(shown, 'gone');
    });
    expect(stdout.match(/Do it/g)).toHaveLength(1);
  });

  it('prints updates as JSON lines', async () => {
    const { stdout } = await watch(async (_file, shown) => {
      await seen(shown, 'Do it');
    }, '--json');
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'message' });
  });

  it('takes a session or a file, not both', async () => {
    const args = ['sessions', 'watch', 'latest', '--file', 'x.jsonl'];
    const { stderr } = await runCommandHere(addSessionsCommand, args);
    expect(stderr).toContain('give either a session or --file');
  });
});

describe('sessions watch without a session', () => {
  const begin = (geminiHome: string, id: string, at: number, prompt: string) => {
    const path = join(geminiHome, '.gemini', chat(id));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, record(id, { at, prompt }));
    return path;
  };
  const makeHome = () => {
    const home = makeFolder({ '.gemini/projects.json': PROJECTS['projects.json'] });
    vi.stubEnv('GEMINI_CLI_HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    return home;
  };

  it('waits for the first session, and goes on with those that follow', async () => {
    const home = makeHome();
    const files: string[] = [];
    // Messages of a session that begins later are new, so --skip-existing does not skip them.
    const run = await watchWith(['--cwd', APP, '--skip-existing'], async (shown) => {
      await seen(shown, `Waiting for the first session of ${APP}`);
      files.push(begin(home, '11111111-aaaa', 1, 'the first question'));
      await seen(shown, 'the first question');
      files.push(begin(home, '22222222-bbbb', 2, 'the second question'));
      await seen(shown, 'the second question');
      appendFileSync(files[1] ?? '', ANSWER);
      await seen(shown, 'Working.');
    });
    expect(run.stderr.split('\n').slice(1)).toEqual([...files.map((f) => `Session file ${f}`), '']);
    expect(run.stdout.match(/the first question/g)).toHaveLength(1);
    expect(run.code).toBeUndefined();
  });

  it('begins with the latest session that is there, and ends with 129 at SIGHUP', async () => {
    const home = makeHome();
    begin(home, '11111111-aaaa', 1, 'an old question');
    begin(home, '22222222-bbbb', 2, 'the latest question');
    const shownLatest = (shown: () => string) => seen(shown, 'the latest question').then(() => {});
    const run = await watchWith(['latest', '--cwd', APP], shownLatest, 'SIGHUP');
    expect(run.stdout).not.toContain('an old question');
    expect([run.stderr, run.code]).toEqual(['', 129]);
  });
});
