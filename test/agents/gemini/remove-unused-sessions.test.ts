import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  hasRecordedPrompt,
  removeUnusedSessions,
} from '../../../src/agents/gemini/remove-unused-sessions.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const CONTEXT = '<session_context>\nToday\n</session_context>';

/** Writes a session file of a project, as the CLI does. */
function writeSession(geminiHome: string, sessionId: string, prompts: readonly string[]): string {
  const folder = join(geminiHome, 'tmp', 'project', 'chats');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `session-2026-01-02T03-04-${sessionId.slice(0, 8)}.jsonl`);
  const timestamp = '2026-01-02T03:04:05.000Z';
  const header = { sessionId, projectHash: 'p', startTime: timestamp, lastUpdated: timestamp };
  const messages = [CONTEXT, ...prompts].map((content, index) => {
    return { id: `m${index}`, timestamp, type: 'user', content };
  });
  const lines = [{ ...header, kind: 'main' }, ...messages];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

it('finds a prompt in the session file of the CLI', () => {
  const [geminiHome, workingDir] = [makeFolder(), makeFolder()];
  writeSession(geminiHome, 'aaaaaaaa-0000-4000-8000-000000000000', []);
  writeSession(geminiHome, 'bbbbbbbb-0000-4000-8000-000000000000', ['Write a.txt']);
  const isRecorded = (id: string) => {
    return hasRecordedPrompt({ geminiHome, workingDir }, `${id}-0000-4000-8000-000000000000`);
  };
  expect(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].map(isRecorded)).toEqual([false, true, false]);
});

it('removes sessions that no step has used, and none with a turn', () => {
  const [geminiHome, cwd] = [makeFolder(), makeFolder()];
  writeFileSync(
    join(geminiHome, 'projects.json'),
    JSON.stringify({ projects: { [cwd]: 'project' } }),
  );
  const unused = writeSession(geminiHome, 'aaaaaaaa-0000-4000-8000-000000000000', []);
  const used = writeSession(geminiHome, 'bbbbbbbb-0000-4000-8000-000000000000', ['Write a.txt']);
  const other = writeSession(geminiHome, 'cccccccc-0000-4000-8000-000000000000', []);
  removeUnusedSessions(geminiHome, [
    { id: 'aaaaaaaa-0000-4000-8000-000000000000', cwd },
    { id: 'bbbbbbbb-0000-4000-8000-000000000000', cwd },
    { id: 'dddddddd-0000-4000-8000-000000000000', cwd },
  ]);
  expect([unused, used, other].map((file) => existsSync(file))).toEqual([false, true, true]);
});
