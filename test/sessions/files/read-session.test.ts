import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import {
  ANSWER,
  fixtures,
  HEADER,
  LEGACY_SESSIONS,
  legacyFile,
  lines,
  QUESTION,
  sessionFile,
} from './session-text.js';

const NEWLINE = 10;

async function readText(text: string, name?: string) {
  return readSession(sessionFile(text, name));
}

describe('a session file of the real CLI', () => {
  it.each([
    [
      'headless_write_replace_shell',
      ['user', 'user', 'gemini', 'user', 'gemini', 'user', 'gemini'],
    ],
    ['headless_subagent', ['user', 'user', 'gemini', 'user', 'gemini']],
    ['headless_subagent.child', ['user', 'gemini', 'user', 'gemini']],
    ['headless_big_tool_output', ['user', 'user', 'gemini', 'user', 'gemini']],
    ['acp_session.0', ['user']],
  ])('%s is read completely', async (name, types) => {
    const session = await readSession(join(fixtures, `${name}.jsonl`));
    expect(session.complete).toBe(true);
    expect(session.messages.map(({ type }) => type)).toEqual(types);
    expect(session.header?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has the tool calls that were added to a message later', async () => {
    const { messages } = await readSession(join(fixtures, 'headless_write_replace_shell.jsonl'));
    const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
    expect(calls.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'write_file success',
      'replace success',
      'run_shell_command success',
      'read_file error',
    ]);
  });

  it('has the session context apart from the messages of the step', async () => {
    const session = await readSession(join(fixtures, 'headless_subagent.jsonl'));
    expect(session.messages).toHaveLength(5);
    expect(session.latest).toHaveLength(4);
  });

  it.each([
    'headless_write_replace_shell',
    'headless_subagent',
    'headless_big_tool_output',
    'acp_session.0',
  ])('%s can be cut off anywhere', async (name) => {
    const bytes = readFileSync(join(fixtures, `${name}.jsonl`));
    const file = join(makeTree(), 'cut.jsonl');
    const whole = await readSession(join(fixtures, `${name}.jsonl`));
    let known = 0;
    for (let cut = 0; cut <= 60; cut++) {
      const prefix = bytes.subarray(0, Math.round((cut * bytes.length) / 60));
      writeFileSync(file, prefix);
      const { messages, complete } = await readSession(file);
      if (prefix.at(-1) === NEWLINE) expect(complete).toBe(true);
      expect(messages.length).toBeGreaterThanOrEqual(known);
      expect(messages.map(({ id }) => id)).toEqual(
        whole.messages.slice(0, messages.length).map(({ id }) => id),
      );
      known = messages.length;
    }
    expect(known).toBe(whole.messages.length);
  });
});

describe('a session file', () => {
  it('may repeat, replace and remove its messages', async () => {
    const text = lines(
      HEADER,
      { $set: { messages: [{ ...QUESTION, id: 'old' }] } },
      QUESTION,
      ANSWER,
      { ...ANSWER, content: 'better' },
      { id: 'wrong', type: 'gemini', content: 'x' },
      { $rewindTo: 'wrong' },
      { ...HEADER, lastUpdated: 'later' },
      { $set: { lastUpdated: 'later' } },
    );
    const session = await readText(text);
    expect(session.messages.map(({ content }) => content)).toEqual([
      'question',
      'question',
      'better',
    ]);
    expect(session.latest.map(({ content }) => content)).toEqual(['question', 'better']);
    expect(session.header).toEqual({ ...HEADER, lastUpdated: 'later' });
    expect(session.complete).toBe(true);
  });

  it.each([
    ['plain text', 'not JSON at all'],
    ['JSON that is no record', '{"hello":"world"}'],
    ['JSON that is no object', '[1,2,3]'],
    ['bytes that are no text', '\u0000\u0001\uFFFD'],
    ['a message without its type', '{"id":"x"}'],
  ])('with %s is read as incomplete, and keeps the other messages', async (_what, garbage) => {
    const session = await readText(lines(HEADER, QUESTION, garbage, ANSWER));
    expect(session.messages).toEqual([QUESTION, ANSWER]);
    expect(session.complete).toBe(false);
  });

  it('with a torn last line has all messages before it', async () => {
    const session = await readText(`${lines(HEADER, QUESTION)}{"id":"a","type":"gem`);
    expect(session).toMatchObject({ header: HEADER, messages: [QUESTION], complete: false });
  });

  it('need not end with a newline', async () => {
    const session = await readText(lines(HEADER, ANSWER).trimEnd());
    expect(session).toMatchObject({ messages: [ANSWER], complete: true });
  });

  it('may be empty, which is a diagnostic', async () => {
    expect(await readText('')).toEqual({
      header: undefined,
      messages: [],
      latest: [],
      complete: false,
      diagnostics: [{ kind: 'empty', message: 'The session file is empty' }],
    });
  });

  it('that does not exist is an error', async () => {
    await expect(readSession(join(makeTree(), 'nope.jsonl'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('ENOENT'),
    });
  });
});

describe('a session file of the older generation', () => {
  const old = { ...HEADER, startTime: 't', messages: [QUESTION, ANSWER], summary: 'x' };

  it('is one object', async () => {
    const session = await readText(JSON.stringify(old, null, 2), 'session.json');
    expect(session).toEqual({
      header: { ...HEADER, startTime: 't', summary: 'x' },
      messages: [QUESTION, ANSWER],
      latest: [QUESTION, ANSWER],
      complete: true,
      diagnostics: [],
    });
  });

  it.each(LEGACY_SESSIONS)('%s is read to the last field', async (name) => {
    const { messages, ...header } = JSON.parse(readFileSync(legacyFile(name), 'utf8'));
    const session = await readSession(legacyFile(name));
    expect(session).toEqual({
      header,
      messages,
      latest: messages,
      complete: true,
      diagnostics: [],
    });
  });

  it.each(['', '{"sessionId":"s1","messages":[', 'null', 'garbage'])(
    'with the content %j is incomplete',
    async (text) => {
      expect(await readText(text, 'session.json')).toMatchObject({ messages: [], complete: false });
    },
  );

  it.each(LEGACY_SESSIONS)('%s can be cut off anywhere', async (name) => {
    const bytes = readFileSync(legacyFile(name));
    const { messages: all } = await readSession(legacyFile(name));
    const file = join(makeTree(), 'cut.json');
    const cuts = 80;
    let known = 0;
    for (let cut = 0; cut < cuts; cut++) {
      writeFileSync(file, bytes.subarray(0, Math.ceil((cut * (bytes.length - 1)) / (cuts - 1))));
      const { messages, complete } = await readSession(file);
      expect(complete).toBe(false);
      expect(messages).toEqual(all.slice(0, messages.length));
      expect(messages.length).toBeGreaterThanOrEqual(known);
      known = messages.length;
    }
    expect(known).toBe(all.length);
  });
});
