import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getMessages } from '../../../src/sessions/list/get-messages.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failureOf } from '../../fixtures/cli/support.js';
import { fixtures } from '../files/session-text.js';
import { APP, chat, gemini, PROJECTS, record } from './gemini-home.js';

describe('the messages of a session', () => {
  const files = {
    ...PROJECTS,
    [chat('12345678-x')]: record('12345678-x', { records: [gemini('1')] }),
  };

  it.each(['12345678-x', '12345678', 1, 'latest'])('are found by %j', async (wanted) => {
    const location = { geminiHome: makeTree(files), projectDir: APP };
    expect(await getMessages(wanted, location)).toMatchObject([
      { role: 'user', content: [{ text: 'prompt of 12345678-x' }] },
      { role: 'assistant', content: [{ text: 'answer' }] },
    ]);
    expect(await getMessages(wanted, { ...location, extras: 'mark' })).toHaveLength(3);
  });

  it('are read from a file, too', async () => {
    expect(await getMessages(join(fixtures, 'headless_subagent.jsonl'))).toHaveLength(3);
  });

  it('cannot be read if there is no such session', async () => {
    const location = { geminiHome: makeTree(files), projectDir: APP };
    expect(await failureOf(() => getMessages('unknown-session', location))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'There is no session unknown-session',
      hint: expect.stringContaining('first eight characters'),
    });
  });
});
