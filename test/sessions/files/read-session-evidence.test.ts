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

/** Reads the evidence from a home with these files. */
async function readEvidence(
  files: Readonly<Record<string, string>>,
  { sessionId = ID, sinceMs = 0 } = {},
): Promise<SessionEvidence | undefined> {
  const geminiHome = makeTree(files);
  return readSessionEvidence({ geminiHome, sessionId, projectDir: '/workspace', sinceMs });
}

async function readRecords(...records: readonly object[]): Promise<SessionEvidence | undefined> {
  const lines = [{ sessionId: ID }, ...records].map((record) => JSON.stringify(record));
  return readEvidence({ [NAME]: `${lines.join('\n')}\n` });
}

function answer(id: string, content: unknown, more: object = {}): object {
  return { id, type: 'gemini', content, ...more };
}

function edit(id: string, resultDisplay: unknown, more: object = {}): object {
  return { id, name: 'write_file', status: 'success', resultDisplay, ...more };
}

describe('the session file of the real CLI', () => {
  it('has text, usage, edits and prompt of a turn', async () => {
    const evidence = await readEvidence({ [NAME]: fixture('headless_write_replace_shell') });
    expect(evidence).toMatchObject({
      answers: ['Writing.', 'All done.'],
      lastTurn: 'answered',
      usage: {
        total: 367,
        input: 320,
        output: 47,
        cached: 0,
        models: {
          'gemini-2.5-flash': {
            total: 367,
            input: 320,
            output: 47,
            cached: 0,
            thoughts: 0,
            tool: 0,
          },
        },
        toolCalls: 4,
      },
      promptParts: ['SCN:w do it'],
    });
    expect(evidence?.edits).toMatchObject([
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

  it('is unanswered if it ends after a tool call', async () => {
    const lines = fixture('headless_write_replace_shell').split('\n');
    const evidence = await readEvidence({ [NAME]: lines.slice(0, -3).join('\n') });
    expect(evidence).toMatchObject({ answers: ['Writing.'], lastTurn: 'unanswered' });
  });

  it('leads to the edits in the files of sub-agents', async () => {
    const sessionId = '4781b18c-9312-45bf-90ae-c771b9f285c4';
    const child = '3a19be06-0d1b-424c-b669-cc6521793748';
    const edited = answer('x', '', {
      toolCalls: [edit('inner', { filePath: '/workspace/by-agent.txt', newContent: 'x' })],
    });
    const evidence = await readEvidence(
      {
        'tmp/ws/chats/session-2026-11-15T23-41-4781b18c.jsonl': fixture('headless_subagent'),
        [`tmp/ws/chats/${sessionId}/${child}.jsonl`]: `${fixture('headless_subagent.child')}${JSON.stringify(edited)}\n`,
      },
      { sessionId },
    );
    expect(evidence?.answers).toEqual(['agent finished']);
    expect(evidence?.edits).toMatchObject([{ toolId: 'inner', path: '/workspace/by-agent.txt' }]);
    // The sub-agent has its own model and its own requests.
    expect(evidence?.usage?.models['gemini-2.5-pro']?.total).toBeGreaterThan(0);
    expect(evidence?.requests.map(({ model }) => model)).toContain('gemini-2.5-pro');
  });

  it('is read without the file of a sub-agent that left none', async () => {
    const sessionId = '4781b18c-9312-45bf-90ae-c771b9f285c4';
    const file = 'tmp/ws/chats/session-2026-11-15T23-41-4781b18c.jsonl';
    const evidence = await readEvidence({ [file]: fixture('headless_subagent') }, { sessionId });
    expect(evidence).toMatchObject({ answers: ['agent finished'], edits: [] });
  });

  it('gives no evidence of an earlier turn of the same session', async () => {
    const sinceMs = Date.parse('2026-11-15T23:40:37.400Z');
    const evidence = await readEvidence(
      { [NAME]: fixture('headless_write_replace_shell') },
      { sinceMs },
    );
    expect(evidence).toMatchObject({ answers: ['All done.'], edits: [], promptParts: [] });
    expect(evidence?.usage).toMatchObject({ total: 107, toolCalls: 0 });
  });

  it.each([
    ['has the new messages', true, 'new'],
    ['is empty, because the CLI went on in the first one', false, 'old'],
  ])(
    'may be one of two after a resume in a later minute: the second %s',
    async (_, isUsed, text) => {
      const minute = (number: number) => `2026-11-15T23:${number}:00.000Z`;
      const file = (at: number, messages: readonly object[]) => {
        const header = { sessionId: ID, startTime: minute(at), lastUpdated: minute(at) };
        return [header, ...messages].map((record) => `${JSON.stringify(record)}\n`).join('');
      };
      const turn = (at: number, reply: string) => [
        { id: `${reply} prompt`, type: 'user', timestamp: minute(at), content: 'go' },
        answer(reply, reply, { timestamp: minute(at) }),
      ];
      const evidence = await readEvidence({
        [NAME]: file(40, turn(40, 'old')),
        [NAME.replace('23-40', '23-45')]: file(45, isUsed ? turn(45, 'new') : []),
      });
      expect(evidence).toMatchObject({ answers: [text], lastTurn: 'answered' });
    },
  );

  it('may be missing, which gives no evidence', async () => {
    expect(await readEvidence({})).toBeUndefined();
  });
});

describe('the answers of a turn', () => {
  it('are trimmed, have no terminal codes and are not empty', async () => {
    const evidence = await readRecords(
      answer('1', '  Hello \n'),
      answer('2', ''),
      answer('3', [{ text: '\u001b[1mwor' }, { functionCall: {} }, { text: 'ld\u001b[0m' }]),
    );
    expect(evidence?.answers).toEqual(['Hello', 'world']);
  });

  it.each([
    ['an answer', 'answered', [answer('1', 'done')]],
    ['an answer and an info record', 'answered', [answer('1', 'done'), { id: '2', type: 'info' }]],
    ['a tool call', 'unanswered', [answer('1', 'x', { toolCalls: [edit('c', '')] })]],
    [
      'the answer of a tool',
      'unanswered',
      [answer('1', 'x'), { id: '2', type: 'user', content: [] }],
    ],
    ['nothing', 'unanswered', []],
  ])('end with %s, which means %s', async (_what, lastTurn, records) => {
    expect(await readRecords(...records)).toMatchObject({ lastTurn });
  });
});

describe('the usage of a turn', () => {
  it('is summed by model and includes answers without a model', async () => {
    const tokens = { input: 10, output: 2, cached: 4, thoughts: 3, tool: 1, total: 16 };
    const evidence = await readRecords(
      answer('1', 'a', { tokens, model: 'pro' }),
      answer('2', 'b', { tokens, model: 'flash' }),
      answer('3', 'c', { tokens, model: 'pro' }),
      answer('4', '', { tokens: { total: 5 } }),
      answer('5', 'd', { tokens: null }),
    );
    expect(evidence?.usage).toEqual({
      total: 53,
      input: 30,
      output: 6,
      cached: 12,
      thoughts: 9,
      tool: 3,
      models: {
        pro: { total: 32, input: 20, output: 4, cached: 8, thoughts: 6, tool: 2 },
        flash: { total: 16, input: 10, output: 2, cached: 4, thoughts: 3, tool: 1 },
      },
      toolCalls: 0,
    });
  });

  it('is undefined if no answer has tokens', async () => {
    expect((await readRecords(answer('1', 'a')))?.usage).toBeUndefined();
  });
});

describe('the edits of a turn', () => {
  it.each([
    ['a failed call', edit('1', { filePath: '/a', newContent: 'x' }, { status: 'error' })],
    ['a cancelled call', edit('1', { filePath: '/a', newContent: 'x' }, { status: 'cancelled' })],
    ['a call that shows text', edit('1', 'written')],
    ['a call without a path', edit('1', { newContent: 'x' })],
    ['a call without content', edit('1', { filePath: '/a' })],
    ['a call that shows nothing', edit('1', null)],
  ])('do not include %s', async (_what, call) => {
    expect((await readRecords(answer('a', '', { toolCalls: [call] })))?.edits).toEqual([]);
  });

  it('have no earlier content if the CLI did not record it', async () => {
    const display = { filePath: '/a', newContent: 'x', originalContent: null };
    const evidence = await readRecords(answer('a', '', { toolCalls: [edit('1', display)] }));
    expect(evidence?.edits).toMatchObject([{ path: '/a', before: undefined, after: 'x' }]);
  });
});

describe('the prompt of a turn', () => {
  it('has all its parts, without the session context', async () => {
    const evidence = await readRecords(
      { id: '0', type: 'user', content: [{ text: '<session_context>\nToday' }] },
      { id: '1', type: 'user', content: [{ text: 'see @a' }, { text: '--- a ---' }, {}] },
      { id: '2', type: 'user', content: 'later' },
    );
    expect(evidence?.promptParts).toEqual(['see @a', '--- a ---']);
  });

  it('is found after the context of a hook', async () => {
    const text = '<hook_context>Be brief.</hook_context>\n\ngo';
    const evidence = await readRecords(
      { id: '0', type: 'user', content: [{ text: '<hook_context>alone</hook_context>' }] },
      { id: '1', type: 'user', content: [{ text }] },
    );
    expect(evidence?.promptParts).toEqual([text]);
    expect(evidence?.messages.map(({ id }) => id)).toEqual(['0', '1']);
  });

  it('may be a single string', async () => {
    const evidence = await readRecords({ id: '1', type: 'user', content: 'hello' });
    expect(evidence?.promptParts).toEqual(['hello']);
  });
});
