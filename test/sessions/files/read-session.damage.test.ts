import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionDiagnostic } from '../../../src/api/session.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { ANSWER, HEADER, lines, QUESTION, sessionFile } from './session-text.js';

const OLD = { ...HEADER, messages: [QUESTION, ANSWER] };
const BYTE_ORDER_MARK = '\uFEFF';

async function readText(text: string, name?: string) {
  return readSession(sessionFile(text, name));
}

function kindsOf({ diagnostics }: { diagnostics: readonly SessionDiagnostic[] }): string[] {
  return diagnostics.map(({ kind, line }) => (line === undefined ? kind : `${kind} ${line}`));
}

describe('what is wrong with a session file', () => {
  it.each([
    ['an empty file', '', ['empty']],
    ['blank lines alone', '\n\n  \n', ['garbage 1', 'no-header']],
    ['no header', lines(QUESTION, ANSWER), ['no-header']],
    ['garbage', lines(HEADER, QUESTION, 'garbage', ANSWER, '{}'), ['garbage 3', 'garbage 5']],
    ['garbage in the place of the header', lines('garbage', QUESTION), ['garbage 1', 'no-header']],
    ['a torn last line', `${lines(HEADER)}{"id":"a","ty`, ['torn-line 2']],
    ['a torn header', '{"sessionId":"s1","kind', ['truncated']],
    [
      'a torn header that is followed',
      `{"sessionId":"s\n${lines(ANSWER)}`,
      ['garbage 1', 'no-header'],
    ],
    ['zeros at the end, as a crash leaves them', `${lines(HEADER)}\0\0\0`, ['torn-line 2']],
    ['a torn object', '{\n  "sessionId": "s1",\n  "messages": [\n    {', ['truncated']],
    ['an object and more', `${JSON.stringify(OLD, null, 2)}\nmore`, ['garbage']],
    ['an object that is no session', '{\n  "a": 1\n}', ['no-header']],
    ['a list', '[\n  1\n]', ['no-header']],
  ])('is told of %s', async (_what, text, kinds) => {
    const session = await readText(text);
    expect(kindsOf(session)).toEqual(kinds);
    expect(session.complete).toBe(false);
  });

  it('is told in one line each', async () => {
    const { diagnostics } = await readText(lines(HEADER, 'garbage', { ...ANSWER, tokens: 7 }));
    expect(diagnostics).toEqual([
      { kind: 'garbage', line: 2, message: 'Line 2: is no record of a session' },
      {
        kind: 'damaged-message',
        line: 3,
        message: 'Line 3: has fields of a form that cannot be read',
      },
    ]);
  });

  it('does not fill the memory where everything is wrong', async () => {
    const { diagnostics, messages } = await readText(`${'x\n'.repeat(5000)}${lines(ANSWER)}`);
    expect(diagnostics.length).toBeLessThan(1100);
    expect(messages).toEqual([ANSWER]);
  });
});

describe('a damaged message', () => {
  const call = { id: 'c', name: 'glob', args: { pattern: '*' }, status: 'success' };

  it.each([
    ['tokens', { tokens: 'many' }, {}],
    ['a token count', { tokens: { input: 5, output: 'x' } }, { tokens: { input: 5 } }],
    ['a thought', { thoughts: ['x', { subject: 's' }] }, { thoughts: [{ subject: 's' }] }],
    [
      'a field of a thought',
      { thoughts: [{ subject: 7, description: 'd' }] },
      { thoughts: [{ description: 'd' }] },
    ],
    ['thoughts', { thoughts: 'deep' }, {}],
    ['the model', { model: 5, extra: 1 }, { extra: 1 }],
    ['the time', { timestamp: 5 }, {}],
    ['tool calls', { toolCalls: {} }, {}],
    ['a tool call', { toolCalls: [{ name: 'nobody' }, call] }, { toolCalls: [call] }],
    [
      'a field of a tool call',
      { toolCalls: [{ ...call, args: null, result: 'r' }] },
      { toolCalls: [{ id: 'c', name: 'glob', status: 'success', result: 'r' }] },
    ],
  ])('keeps everything else: %s', async (_what, damage, rest) => {
    const damaged = { ...ANSWER, ...damage };
    const expected = { ...ANSWER, ...rest };
    const asLines = await readText(lines(HEADER, QUESTION, damaged));
    expect(asLines.messages).toEqual([QUESTION, expected]);
    expect(kindsOf(asLines)).toEqual(['damaged-message 3']);
    const asObject = await readText(JSON.stringify({ ...HEADER, messages: [damaged] }, null, 2));
    expect(asObject.messages).toEqual([expected]);
    expect(kindsOf(asObject)).toEqual(['damaged-message']);
    const inList = await readText(lines(HEADER, { $set: { messages: [damaged, QUESTION] } }));
    expect(inList.messages).toEqual([expected, QUESTION]);
    expect(kindsOf(inList)).toEqual(['damaged-message 2']);
  });

  it.each([null, 7, 'text', [], { id: 7, type: 'user' }, { type: 'user' }])(
    'costs only itself where it is none: %j',
    async (damaged) => {
      const messages = [QUESTION, damaged, ANSWER];
      const asObject = await readText(JSON.stringify({ ...HEADER, messages }, null, 2));
      expect(asObject).toMatchObject({ messages: [QUESTION, ANSWER], complete: false });
      const inList = await readText(lines(HEADER, { $set: { messages } }));
      expect(inList).toMatchObject({ messages: [QUESTION, ANSWER], complete: false });
    },
  );
});

describe('a damaged header', () => {
  const damaged = { sessionId: 's1', startTime: 5, summary: null, kind: 'main' };

  it('still says which session it is', async () => {
    for (const text of [
      lines(damaged, ANSWER),
      JSON.stringify({ ...damaged, messages: [ANSWER] }, null, 2),
    ]) {
      const session = await readText(text);
      expect(session.header).toEqual({ sessionId: 's1', kind: 'main' });
      expect(session.messages).toEqual([ANSWER]);
      expect(session.complete).toBe(false);
    }
  });

  it('does not take back what was known', async () => {
    const session = await readText(
      lines(
        { ...HEADER, summary: 'short' },
        { $set: { summary: 7, lastUpdated: 'now' } },
        { ...HEADER, kind: 7 },
      ),
    );
    expect(session.header).toEqual({ ...HEADER, summary: 'short', lastUpdated: 'now' });
    expect(kindsOf(session)).toEqual(['damaged-message 2', 'damaged-message 3']);
  });
});

describe('a session file that another program has had in hand', () => {
  const plain = lines(HEADER, QUESTION, ANSWER);

  it.each([
    ['a byte order mark', `${BYTE_ORDER_MARK}${plain}`],
    ['line ends of Windows', plain.replaceAll('\n', '\r\n')],
    ['both', `${BYTE_ORDER_MARK}${plain.replaceAll('\n', '\r\n')}`],
    ['empty lines', `\n\r\n${plain.replaceAll('\n', '\n\n')}\n`],
    ['blanks around the lines', plain.replace(/^/gm, '  ').replaceAll('\n', ' \t\n').trimEnd()],
    ['no last newline', plain.trimEnd()],
    ['all on one line', JSON.stringify(OLD)],
    ['all on one line, and a mark', `${BYTE_ORDER_MARK}${JSON.stringify(OLD)}\n`],
    ['the messages at the header', lines({ ...HEADER, messages: [QUESTION] }, ANSWER)],
    ['one object', JSON.stringify(OLD, null, 2)],
    ['one object, a mark, and line ends of Windows', toWindows(JSON.stringify(OLD, null, '\t'))],
    ['one object and blank lines', `\n\n${JSON.stringify(OLD, null, 2)}\n\n\n`],
  ])('is read as ever, whatever its name: %s', async (_what, text) => {
    for (const name of ['session.jsonl', 'session.json', 'copy of session.txt']) {
      expect(await readText(text, name)).toMatchObject({
        header: HEADER,
        messages: [QUESTION, ANSWER],
        complete: true,
      });
    }
  });

  it('costs bytes that are no text only themselves, in either form', async () => {
    const broken = { ...QUESTION, content: 'a#b' };
    for (const text of [
      lines(HEADER, broken, ANSWER),
      JSON.stringify({ ...HEADER, messages: [broken, ANSWER] }, null, 2),
    ]) {
      const file = sessionFile('');
      appendFileSync(file, Buffer.from(text.replace('a#b', 'a\u00ffb'), 'latin1'));
      const { messages } = await readSession(file);
      expect(messages).toEqual([{ ...QUESTION, content: 'a\uFFFDb' }, ANSWER]);
    }
  });

  it('may begin with a line that is longer than anybody would look ahead', async () => {
    const long = { ...QUESTION, content: 'x'.repeat(3 * 1024 * 1024) };
    const expected = { messages: [long, ANSWER], complete: true };
    expect(await readText(lines({ ...HEADER, messages: [long] }, ANSWER))).toMatchObject(expected);
    expect(await readText(lines({ $set: { messages: [long] } }, HEADER, ANSWER))).toMatchObject(
      expected,
    );
    expect(await readText(JSON.stringify({ ...HEADER, messages: [long, ANSWER] }))).toMatchObject(
      expected,
    );
    expect(await readText(lines(long))).toMatchObject({ messages: [long] });
  });
});

function toWindows(text: string): string {
  return `${BYTE_ORDER_MARK}${text.replaceAll('\n', '\r\n')}`;
}

describe('going back in a session', () => {
  it('to a message that is not there leaves nothing, as the CLI has it', async () => {
    const session = await readText(lines(HEADER, QUESTION, { $rewindTo: 'nobody' }, ANSWER));
    expect(session).toMatchObject({ messages: [ANSWER], latest: [ANSWER], complete: true });
  });

  it('to the first message leaves nothing', async () => {
    const session = await readText(lines(HEADER, QUESTION, ANSWER, { $rewindTo: 'q' }));
    expect(session).toMatchObject({ messages: [], complete: true });
  });
});

describe('a session file that grows while it is read', () => {
  it('gives what was there in the beginning, and says so', async () => {
    const body = Array.from({ length: 500 }, (_, index) => ({ ...ANSWER, id: `m${index}` }));
    const file = sessionFile(lines(HEADER, ...body));
    let isOver = false;
    const reading = readSession(file).finally(() => {
      isOver = true;
    });
    // At each turn of the event loop, of which the reading takes many.
    const write = (): void => {
      if (isOver) return;
      appendFileSync(file, lines({ ...QUESTION, content: 'more' }));
      setImmediate(write);
    };
    write();
    const session = await reading;
    expect(session.messages.slice(0, body.length)).toEqual(body);
    expect(kindsOf(session)).toEqual(['grew']);
    expect(session.complete).toBe(false);
  });
});

describe('what is no file', () => {
  it('is no reason to fail while it can be opened', async () => {
    const folder = makeTree({ 'session.jsonl/': '' });
    const session = await readSession(join(folder, 'session.jsonl'));
    expect(session).toMatchObject({ messages: [], complete: false });
    expect(kindsOf(session)).toContain('lost');
  });

  it('is an error where it cannot', async () => {
    const folder = makeTree();
    symlinkSync('nowhere', join(folder, 'broken.jsonl'));
    mkdirSync(join(folder, 'empty'));
    await expect(readSession(join(folder, 'broken.jsonl'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('ENOENT'),
    });
  });
});
