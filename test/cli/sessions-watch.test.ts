import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addSessionsCommand } from '../../src/cli/sessions.js';
import { runCommandHere } from '../fixtures/cli/in-process.js';
import { makeFolder } from '../fixtures/cli/support.js';

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
  const before = process.listenerCount('SIGINT');
  const running = runCommandHere(addSessionsCommand, [
    'sessions',
    'watch',
    '--file',
    file,
    ...flags,
  ]);
  const stdout = vi.mocked(process.stdout.write);
  await change(file, () => stdout.mock.calls.map(([chunk]) => String(chunk)).join(''));
  process.listeners('SIGINT').at(-1)?.('SIGINT');
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
