import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { findSessionFile } from '../../../src/sessions/list/find-session.js';
import { getMessages } from '../../../src/sessions/list/get-messages.js';
import { listSessions } from '../../../src/sessions/list/list-sessions.js';
import { projectName } from '../../../src/sessions/list/project-name.js';
import { watchSession } from '../../../src/sessions/watch/watch-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { APP, chat, gemini, HASH, PROJECTS, record, recordOld, user } from './gemini-home.js';

/** Returns names, contents and times of everything in a folder. */
function stateOf(root: string): object[] {
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return ['', ...entries.sort()].map((name) => {
    const path = join(root, name);
    const { mtimeMs, ctimeMs, mode, ino, size } = statSync(path);
    const content = statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
    return { name, mtimeMs, ctimeMs, mode, ino, size, content };
  });
}

it('no function writes into the home of the user', async () => {
  const geminiHome = makeTree({
    ...PROJECTS,
    'settings.json': '{}',
    [chat('11111111-a')]: record('11111111-a', { records: [gemini('1'), 'garbage'] }),
    [chat('22222222-b')]: `${record('22222222-b', { at: 5 })}{"torn`,
    [chat('33333333-c', HASH, 'json')]: recordOld('33333333-c', [user('1', 'x')]),
    'tmp/app/chats/11111111-a/44444444-d.jsonl': record('44444444-d'),
  });
  const before = stateOf(geminiHome);
  const location = { geminiHome, projectDir: APP };
  const sessions = await listSessions({ geminiHome, subagents: true, counts: 'exact' });
  expect(sessions).toHaveLength(4);
  expect(projectName(APP, location)).toBe('app');
  for (const { id, file } of sessions) {
    expect(await findSessionFile(id, location)).toBe(file);
    expect((await readSession(file)).header?.sessionId).toBe(id);
    expect(await getMessages(id, location)).not.toEqual([]);
    const watching = watchSession(id, location);
    expect(await watching.next()).toMatchObject({ done: false });
    await watching.return();
  }
  expect(await findSessionFile('nobody-knows', location)).toBeUndefined();
  expect(stateOf(geminiHome)).toEqual(before);
});
