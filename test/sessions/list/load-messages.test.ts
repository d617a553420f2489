import { describe, expect, it } from 'vitest';
import { loadMessages } from '../../../src/sessions/list/load-messages.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failureOf } from '../../fixtures/cli/support.js';
import { APP, chat, gemini, PROJECTS, record, timeAt } from './gemini-home.js';

describe('loadMessages', () => {
  const files = {
    ...PROJECTS,
    [chat('11111111-x')]: record('11111111-x', {
      at: 1,
      records: [gemini('1'), { $set: { lastUpdated: timeAt(900) } }],
    }),
    [chat('22222222-x')]: record('22222222-x', { at: 2, records: [gemini('1')] }),
  };
  const location = () => ({ geminiHome: makeTree(files), projectDir: APP });
  const promptOf = (id: string) => [{ type: 'text', text: `prompt of ${id}` }];

  it('reads the session that was changed last, not the one that was started last', async () => {
    const [prompt] = await loadMessages(location());
    expect(prompt?.content).toEqual(promptOf('11111111-x'));
  });

  it.each(['22222222-x', '22222222', 2, 'latest'])('reads the session %j', async (sessionId) => {
    const [prompt] = await loadMessages({ ...location(), sessionId });
    expect(prompt?.content).toEqual(promptOf('22222222-x'));
  });

  it('keeps other messages with a mark on demand', async () => {
    expect(await loadMessages({ ...location(), extras: 'mark' })).toHaveLength(3);
  });

  it('names the project if it has no session', async () => {
    const options = { ...location(), projectDir: '/nowhere' };
    expect(await failureOf(() => loadMessages(options))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'No Gemini session found for project: /nowhere',
      hint: expect.stringContaining('projectDir'),
    });
    expect(await failureOf(() => loadMessages({ ...options, sessionId: 7 }))).toMatchObject({
      message: 'There is no session 7 in the project /nowhere',
    });
  });

  it('refuses unknown options and suggests the nearest', async () => {
    const options: object = { ...location(), sesionId: 'x' };
    expect(await failureOf(() => loadMessages(options))).toMatchObject({
      code: 'INVALID_INPUT',
      message:
        'Invalid options: the object has the unknown key "sesionId". Did you mean "sessionId"?',
    });
  });
});
