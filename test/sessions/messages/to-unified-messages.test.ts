import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import type { UnifiedMessage } from '../../../src/api/unified-message.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { fixtures, LEGACY_SESSIONS, legacyFile } from '../files/session-text.js';

/** Describes each block by one word, to compare the order of blocks. */
function outline(messages: readonly UnifiedMessage[]): string[] {
  return messages.map(({ role, content, mark }) => {
    const blocks = content.map((block) => {
      if (block.type === 'tool_use') return block.name;
      if (block.type === 'tool_result') return block.is_error ? 'failed' : 'done';
      return block.type;
    });
    return [role, ...(mark === undefined ? [] : [mark]), ...blocks].join(' ');
  });
}

async function outlineOf(name: string, extras?: 'omit' | 'mark') {
  return outline(toUnifiedMessages(await readSession(join(fixtures, name)), { extras }));
}

describe('a session of the real CLI', () => {
  it.each([
    [
      'headless_write_replace_shell.jsonl',
      [
        'user text',
        'assistant thinking Write done text',
        'assistant Edit done Bash done Read failed',
        'assistant text',
      ],
    ],
    ['headless_subagent.jsonl', ['user text', 'assistant Task done', 'assistant text']],
    ['headless_big_tool_output.jsonl', ['user text', 'assistant Bash done', 'assistant text']],
    ['acp_session.0.jsonl', []],
    [
      'headless_parallel_calls.jsonl',
      [
        'user text',
        'assistant Write done Write done text',
        'assistant Edit done Read failed nonsense_tool failed Bash done',
        'assistant text',
      ],
    ],
  ])('becomes a conversation: %s', async (name, messages) => {
    expect(await outlineOf(name)).toEqual(messages);
  });

  it("has the additions of the CLI with extras: 'mark'", async () => {
    expect(await outlineOf('headless_write_replace_shell.jsonl', 'mark')).toEqual([
      'user session-context text',
      'user text',
      'assistant thinking Write done text',
      'user tool-response done',
      'assistant Edit done Bash done Read failed',
      'user tool-response done done failed',
      'assistant text',
    ]);
  });

  it('has a call that is recorded only by its answer', async () => {
    expect(await outlineOf('acp_tools.jsonl')).toEqual([
      'user text',
      'assistant thinking text',
      'assistant Write done Write done Edit done Read failed Bash done Task failed',
      'assistant',
      'user failed',
      'assistant',
      'assistant thinking text',
    ]);
  });

  it('has each answer once after a resume', async () => {
    expect(await outlineOf('headless_resumed_hook.jsonl')).toEqual([
      'assistant thinking Write done Write done text',
      'assistant text',
      'user text',
      'assistant thinking text',
    ]);
    expect(await outlineOf('headless_resumed_hook.jsonl', 'mark')).toEqual([
      'user session-context text',
      'assistant thinking Write done Write done text',
      'user tool-response done done',
      'user tool-response done done',
      'assistant text',
      'user text',
      'assistant thinking text',
    ]);
  });

  it('has each answer once after a resume that lost the calls', async () => {
    expect(await outlineOf('headless_resumed_same_minute.jsonl')).toEqual([
      'user text',
      'assistant thinking Write Write text',
      'user done done',
      'assistant Edit Read nonsense_tool Bash',
      'user done failed failed failed',
      'assistant Task',
      'user done',
      'assistant thinking text',
      'user text',
      'assistant thinking text',
    ]);
  });

  it('has for each call its own result after a resume', async () => {
    const session = await readSession(join(fixtures, 'headless_resumed_hook.jsonl'));
    const [first] = toUnifiedMessages(session);
    const results = first?.content.filter(({ type }) => type === 'tool_result');
    expect(results).toMatchObject([
      { content: expect.stringMatching(/a\.txt.*\none\n$/) },
      { content: expect.stringMatching(/b\.txt.*\ntwo\n$/) },
    ]);
  });
});

describe('a session of the older generation', () => {
  it('becomes a conversation', async () => {
    expect(await outlineOf(`legacy/${LEGACY_SESSIONS[0]}.json`)).toEqual([
      'user text',
      'assistant Glob done',
      'assistant Glob done',
      'assistant Read done text',
      'assistant thinking Write done',
      'assistant Edit done text',
      'assistant Bash done',
      'user text',
      'assistant WebSearch done',
      'assistant thinking thinking text',
      'user text',
      'assistant Edit failed',
      'assistant Bash failed text',
    ]);
    expect(await outlineOf(`legacy/${LEGACY_SESSIONS[1]}.json`)).toEqual([
      'user text',
      'assistant Bash',
    ]);
  });

  it("has errors and warnings, and info records only with extras: 'mark'", async () => {
    const name = `legacy/${LEGACY_SESSIONS[2]}.json`;
    const talk = [
      'user text text text text',
      'assistant thinking text',
      'user text image',
      'system text',
      'system text',
      'assistant text',
    ];
    expect(await outlineOf(name)).toEqual(talk);
    expect(await outlineOf(name, 'mark')).toEqual([
      'system info text',
      ...talk,
      'system info text',
    ]);
  });
});

describe.each([
  ...LEGACY_SESSIONS.map(legacyFile),
  ...[
    'headless_write_replace_shell',
    'headless_subagent',
    'headless_subagent.child',
    'acp_tools',
    'headless_resumed_hook',
    'headless_resumed_same_minute',
  ].map((name) => join(fixtures, `${name}.jsonl`)),
])('any recorded session: %s', (file) => {
  it('gives each message with its original', async () => {
    const { messages } = await readSession(file);
    const unified = toUnifiedMessages(messages, { extras: 'mark' });
    expect(unified.map(({ _original }) => _original)).toEqual(messages);
    expect(unified.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
  });

  it('has no call with two answers', async () => {
    const blocks = toUnifiedMessages(await readSession(file)).flatMap(({ content }) => content);
    const answers = blocks.flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    expect(answers).toEqual([...new Set(answers)]);
  });

  it('is the same from its messages as from the session', async () => {
    const session = await readSession(file);
    expect(toUnifiedMessages(session.messages)).toEqual(toUnifiedMessages(session));
    expect(toUnifiedMessages(new Set(session.messages))).toEqual(toUnifiedMessages(session));
  });
});

describe('a message outside the conversation', () => {
  const answer = (id: string) => ({
    functionResponse: { id, name: 'glob', response: { output: id } },
  });
  const call = (id: string) => ({
    id,
    name: 'glob',
    args: {},
    status: 'success',
    result: [answer(id)],
  });
  const called: SessionMessage = { id: '1', type: 'gemini', toolCalls: [call('a'), call('b')] };
  const png = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

  function user(id: string, ...content: readonly unknown[]): SessionMessage {
    return { id, type: 'user', content };
  }

  it.each([
    ['the context of the session', user('2', { text: '<session_context>\nx\n</session_context>' })],
    ['the context of a hook alone', user('2', { text: '<hook_context>x</hook_context>' })],
    ['an answer that is recorded with its call', user('2', answer('a'), answer('b'))],
    ['an image beside such an answer', user('2', answer('a'), png)],
    ['an info record', { id: '2', type: 'info', content: 'Press F12.' }],
  ])('is left out, or marked: %s', (_what, message) => {
    expect(toUnifiedMessages([called, message]).map(({ id }) => id)).toEqual(['1']);
    const [, marked] = toUnifiedMessages([called, message], { extras: 'mark' });
    expect(marked?.mark).toBeDefined();
    expect(marked?.content.length).toBeGreaterThan(0);
    expect(marked?._original).toEqual(message);
  });

  it('does not include an answer whose call is not recorded', () => {
    const messages = [called, user('2', answer('lost'))];
    expect(outline(toUnifiedMessages(messages))).toEqual([
      'assistant Glob done Glob done',
      'user done',
    ]);
  });

  it('does not include an answer whose call has no result', () => {
    const running: SessionMessage = {
      id: '1',
      type: 'gemini',
      toolCalls: [{ id: 'a', name: 'glob', status: 'executing' }],
    };
    expect(outline(toUnifiedMessages([running, user('2', answer('a'))]))).toEqual([
      'assistant Glob',
      'user done',
    ]);
  });

  it('is removed from a message that has other parts', () => {
    const messages = [called, user('2', answer('a'), answer('lost'), { text: 'And hurry.' })];
    for (const extras of ['omit', 'mark'] as const) {
      expect(toUnifiedMessages(messages, { extras })[1]).toMatchObject({
        content: [{ tool_use_id: 'lost' }, { text: 'And hurry.' }],
      });
    }
  });

  it('does not include a prompt after the context of a hook', () => {
    const text = '<hook_context>x</hook_context>\n\nthe prompt';
    expect(toUnifiedMessages([user('1', { text })])).toMatchObject([{ content: [{ text }] }]);
  });

  it('does not include an error', () => {
    const error = { id: '1', type: 'error', content: 'Quota exhausted.' };
    expect(toUnifiedMessages([error])).toMatchObject([{ role: 'system', level: 'error' }]);
  });
});

describe('an empty list', () => {
  it('gives no messages', () => {
    expect(toUnifiedMessages([])).toEqual([]);
  });
});
