import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LiveEvidence } from '../../../src/sessions/files/live-evidence.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { lines } from './session-text.js';

const ID = 'abcdef01-0000-4000-8000-000000000000';
const tokens = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 };

function answer(id: string, timestamp: string, more: object = {}) {
  return { id, timestamp, type: 'gemini', content: '', tokens, model: 'flash', ...more };
}

it('a growing session file tells the tokens and edits of a step, and not those before it', async () => {
  const header = { sessionId: ID, kind: 'main' };
  const name = `tmp/app/chats/session-2026-11-18T00-00-${ID.slice(0, 8)}.jsonl`;
  const home = makeTree({
    'projects.json': JSON.stringify({ projects: { '/app': 'app' } }),
    [name]: lines(header, answer('old', '2026-11-18T00:00:00Z')),
  });
  const live = new LiveEvidence({
    geminiHome: home,
    sessionId: ID,
    projectDir: '/app',
    sinceMs: Date.parse('2026-11-18T00:01:00Z'),
  });
  onTestFinished(() => live.close());
  expect(await live.read()).toEqual({ usage: undefined, requests: [], edits: [] });
  const resultDisplay = { filePath: '/app/a', newContent: 'a', isNewFile: true };
  const call = { id: 'c', name: 'write_file', status: 'success', resultDisplay };
  const later = answer('new', '2026-11-18T00:02:00Z', { toolCalls: [call] });
  appendFileSync(join(home, name), lines(later));
  expect(await live.read()).toMatchObject({
    usage: { total: 110, models: { flash: { total: 110 } }, toolCalls: 1 },
    edits: [{ tool: 'write_file', toolId: 'c', path: '/app/a', after: 'a' }],
  });
  // The same call in a newer version of the message is told once.
  appendFileSync(join(home, name), lines({ ...later, content: 'more' }));
  expect(await live.read()).toMatchObject({ usage: { total: 110 }, edits: [] });
});

it('a session that is not there tells nothing', async () => {
  const geminiHome = makeTree();
  const query = { geminiHome, sessionId: ID, projectDir: '/app', sinceMs: 0 };
  expect(await new LiveEvidence(query).read()).toBeUndefined();
});
