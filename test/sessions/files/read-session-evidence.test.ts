import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  readSessionEvidence,
  type SessionEvidence,
} from '../../../src/sessions/files/read-session-evidence.js';
import { makeTree } from '../../base/fs/make-tree.js';

const ID = '2ddec303-3fba-47b6-b57b-c48096f008e4';
const NAME = `tmp/ws/chats/session-2026-11-15T23-40-${ID.slice(0, 8)}.jsonl`;

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/sessions/${name}.jsonl`, import.meta.url), 'utf8');
}

/** What the session file of a run bears witness to. */
async function hear(
  files: Readonly<Record<string, string>>,
  { sessionId = ID, sinceMs = 0 } = {},
): Promise<SessionEvidence | undefined> {
  const geminiHome = makeTree(files);
  return readSessionEvidence({ geminiHome, sessionId, projectDir: '/workspace', sinceMs });
}

async function hearRecords(...records: readonly object[]): Promise<SessionEvidence | undefined> {
  const lines = [{ sessionId: ID }, ...records].map((record) => JSON.stringify(record));
  return hear({ [NAME]: `${lines.join('\n')}\n` });
}

function answer(id: string, content: unknown, more: object = {}): object {
  return { id, type: 'gemini', content, ...more };
}

function edit(id: string, resultDisplay: unknown, more: object = {}): object {
  return { id, name: 'write_file', status: 'success', resultDisplay, ...more };
}

describe('the session file of a run of the real CLI', () => {
  it('tells text, usage, edits and prompt', async () => {
    const witness = await hear({ [NAME]: fixture('headless_write_replace_shell') });
    expect(witness).toMatchObject({
      answers: ['Writing.', 'All done.'],
      lastTurn: 'answered',
      usage: {
        total: 367,
        input: 320,
        output: 47,
        cached: 0,
        models: { 'gemini-2.5-flash': { total: 367, input: 320, output: 47, cached: 0 } },
        toolCalls: 4,
      },
      promptParts: ['SCN:w do it'],
    });
    expect(witness?.edits).toMatchObject([
      {
        tool: 'write_file',
        path: '/workspace/hello.ts',
        before: undefined,
        after: 'export const a=1;\n',
      },
      {
        tool: 'replace',
        toolId: 'replace__replace_1794786037146_0',
        before: 'export const a=1;\n',
        after: 'export const a=2;\n',
      },
    ]);
  });

  it('does not end with the model where it was cut off after a tool', async () => {
    const lines = fixture('headless_write_replace_shell').split('\n');
    const witness = await hear({ [NAME]: lines.slice(0, -3).join('\n') });
    expect(witness).toMatchObject({ answers: ['Writing.'], lastTurn: 'unanswered' });
  });

  it('leads to the files of sub-agents', async () => {
    const sessionId = '4781b18c-9312-45bf-90ae-c771b9f285c4';
    const child = '3a19be06-0d1b-424c-b669-cc6521793748';
    const edited = answer('x', '', {
      toolCalls: [edit('inner', { filePath: '/workspace/by-agent.txt', newContent: 'x' })],
    });
    const witness = await hear(
      {
        'tmp/ws/chats/session-2026-11-15T23-41-4781b18c.jsonl': fixture('headless_subagent'),
        [`tmp/ws/chats/${sessionId}/${child}.jsonl`]: `${fixture('headless_subagent.child')}${JSON.stringify(edited)}\n`,
      },
      { sessionId },
    );
    expect(witness?.answers).toEqual(['agent finished']);
    expect(witness?.edits).toMatchObject([{ toolId: 'inner', path: '/workspace/by-agent.txt' }]);
  });

  it('does without the file of a sub-agent that left none', async () => {
    const sessionId = '4781b18c-9312-45bf-90ae-c771b9f285c4';
    const file = 'tmp/ws/chats/session-2026-11-15T23-41-4781b18c.jsonl';
    const witness = await hear({ [file]: fixture('headless_subagent') }, { sessionId });
    expect(witness).toMatchObject({ answers: ['agent finished'], edits: [] });
  });

  it('says nothing of an earlier run in the same session', async () => {
    const sinceMs = Date.parse('2026-11-15T23:40:37.400Z');
    const witness = await hear({ [NAME]: fixture('headless_write_replace_shell') }, { sinceMs });
    expect(witness).toMatchObject({ answers: ['All done.'], edits: [], promptParts: [] });
    expect(witness?.usage).toMatchObject({ total: 107, toolCalls: 0 });
  });

  it('need not exist', async () => {
    expect(await hear({})).toBeUndefined();
  });
});

describe('the turns of a run', () => {
  it('are trimmed, without terminal codes, and have some text', async () => {
    const witness = await hearRecords(
      answer('1', '  Hello \n'),
      answer('2', ''),
      answer('3', [{ text: '\u001b[1mwor' }, { functionCall: {} }, { text: 'ld\u001b[0m' }]),
    );
    expect(witness?.answers).toEqual(['Hello', 'world']);
  });

  it.each([
    ['an answer', 'answered', [answer('1', 'done')]],
    ['an answer and a remark', 'answered', [answer('1', 'done'), { id: '2', type: 'info' }]],
    ['a tool call', 'unanswered', [answer('1', 'x', { toolCalls: [edit('c', '')] })]],
    [
      'the answer of a tool',
      'unanswered',
      [answer('1', 'x'), { id: '2', type: 'user', content: [] }],
    ],
    ['nothing', 'unanswered', []],
  ])('that end with %s are %s', async (_what, lastTurn, records) => {
    expect(await hearRecords(...records)).toMatchObject({ lastTurn });
  });
});

describe('the usage of a run', () => {
  it('is summed by model, and counts an answer that names none', async () => {
    const tokens = { input: 10, output: 2, cached: 4, total: 12 };
    const witness = await hearRecords(
      answer('1', 'a', { tokens, model: 'pro' }),
      answer('2', 'b', { tokens, model: 'flash' }),
      answer('3', 'c', { tokens, model: 'pro' }),
      answer('4', '', { tokens: { total: 5 } }),
      answer('5', 'd', { tokens: null }),
    );
    expect(witness?.usage).toEqual({
      total: 41,
      input: 30,
      output: 6,
      cached: 12,
      models: {
        pro: { total: 24, input: 20, output: 4, cached: 8 },
        flash: { total: 12, input: 10, output: 2, cached: 4 },
      },
      toolCalls: 0,
    });
  });

  it('is not known where no answer has tokens', async () => {
    expect((await hearRecords(answer('1', 'a')))?.usage).toBeUndefined();
  });
});

describe('the edits of a run', () => {
  it.each([
    ['a failed call', edit('1', { filePath: '/a', newContent: 'x' }, { status: 'error' })],
    ['a cancelled call', edit('1', { filePath: '/a', newContent: 'x' }, { status: 'cancelled' })],
    ['a call that shows text', edit('1', 'written')],
    ['a call without a path', edit('1', { newContent: 'x' })],
    ['a call without content', edit('1', { filePath: '/a' })],
    ['a call that shows nothing', edit('1', null)],
  ])('do not include %s', async (_what, call) => {
    expect((await hearRecords(answer('a', '', { toolCalls: [call] })))?.edits).toEqual([]);
  });

  it('have no earlier content where it was not recorded', async () => {
    const display = { filePath: '/a', newContent: 'x', originalContent: null };
    const witness = await hearRecords(answer('a', '', { toolCalls: [edit('1', display)] }));
    expect(witness?.edits).toMatchObject([{ path: '/a', before: undefined, after: 'x' }]);
  });
});

describe('the prompt of a run', () => {
  it('is there in all its parts, without the session context', async () => {
    const witness = await hearRecords(
      { id: '0', type: 'user', content: [{ text: '<session_context>\nToday' }] },
      { id: '1', type: 'user', content: [{ text: 'see @a' }, { text: '--- a ---' }, {}] },
      { id: '2', type: 'user', content: 'later' },
    );
    expect(witness?.promptParts).toEqual(['see @a', '--- a ---']);
  });

  it('is there where a hook has put something before it', async () => {
    const text = '<hook_context>Be brief.</hook_context>\n\ngo';
    const witness = await hearRecords(
      { id: '0', type: 'user', content: [{ text: '<hook_context>alone</hook_context>' }] },
      { id: '1', type: 'user', content: [{ text }] },
    );
    expect(witness?.promptParts).toEqual([text]);
    expect(witness?.messages.map(({ id }) => id)).toEqual(['0', '1']);
  });

  it('may be one string', async () => {
    const witness = await hearRecords({ id: '1', type: 'user', content: 'hello' });
    expect(witness?.promptParts).toEqual(['hello']);
  });
});
