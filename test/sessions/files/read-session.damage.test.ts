import { appendFileSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

describe('the diagnostics of a session file', () => {
  it.each([
    ['an empty file', '', ['empty']],
    ['blank lines alone', '\n\n  \n', ['garbage 1', 'no-header']],
    ['no header', lines(QUESTION, ANSWER), ['no-header']],
    ['garbage', lines(HEADER, QUESTION, 'garbage', ANSWER, '{}'), ['garbage 3', 'garbage 5']],
    ['garbage instead of the header', lines('garbage', QUESTION), ['garbage 1', 'no-header']],
    ['a torn last line', `${lines(HEADER)}{"id":"a","ty`, ['torn-line 2']],
    ['a torn header', '{"sessionId":"s1","kind', ['truncated']],
    [
      'a torn header followed by a message',
      `{"sessionId":"s\n${lines(ANSWER)}`,
      ['garbage 1', 'no-header'],
    ],
    ['zeros at the end, as a crash leaves them', `${lines(HEADER)}\0\0\0`, ['torn-line 2']],
    ['a torn object', '{\n  "sessionId": "s1",\n  "messages": [\n    {', ['truncated']],
    ['an object and more', `${JSON.stringify(OLD, null, 2)}\nmore`, ['garbage']],
    ['an object that is no session', '{\n  "a": 1\n}', ['no-header']],
    ['a list', '[\n  1\n]', ['no-header']],
  ])('name %s', async (_what, text, kinds) => {
    const session = await readText(text);
    expect(kindsOf(session)).toEqual(kinds);
    expect(session.complete).toBe(false);
  });

  it('have a one-line message each', async () => {
    const { diagnostics } = await readText(lines(HEADER, 'garbage', { ...ANSWER, tokens: 7 }));
    expect(diagnostics).toEqual([
      { kind: 'garbage', line: 2, message: 'Line 2: not a record of a session' },
      {
        kind: 'damaged-message',
        line: 3,
        message: 'Line 3: has fields that cannot be read',
      },
    ]);
  });

  it('are limited in number for a file of garbage', async () => {
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
  ])('keeps all fields but the damaged one: %s', async (_what, damage, rest) => {
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
    'is dropped without the others if it is no message: %j',
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

  it('keeps the session id', async () => {
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

  it('does not replace known fields', async () => {
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

describe('a session file that another program has changed', () => {
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
  ])('is read correctly under any name: %s', async (_what, text) => {
    for (const name of ['session.jsonl', 'session.json', 'copy of session.txt']) {
      expect(await readText(text, name)).toMatchObject({
        header: HEADER,
        messages: [QUESTION, ANSWER],
        complete: true,
      });
    }
  });

  it('loses only bytes that are invalid UTF-8, in both generations', async () => {
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

  it('may begin with a line longer than the checked first line', async () => {
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
  it('to an unknown message removes all messages, as in the CLI', async () => {
    const session = await readText(lines(HEADER, QUESTION, { $rewindTo: 'nobody' }, ANSWER));
    expect(session).toMatchObject({ messages: [ANSWER], latest: [ANSWER], complete: true });
  });

  it('to the first message removes all messages', async () => {
    const session = await readText(lines(HEADER, QUESTION, ANSWER, { $rewindTo: 'q' }));
    expect(session).toMatchObject({ messages: [], complete: true });
  });
});

describe('a session file that grows while it is read', () => {
  it('gives the messages present at opening and the diagnostic grew', async () => {
    const body = Array.from({ length: 500 }, (_, index) => ({ ...ANSWER, id: `m${index}` }));
    const file = sessionFile(lines(HEADER, ...body));
    let isOver = false;
    const reading = readSession(file).finally(() => {
      isOver = true;
    });
    // Append in each round of the event loop; the reading takes many rounds.
    const write = (): void => {
      if (isOver) return;
      appendFileSync(file, lines({ ...QUESTION, content: 'more' }));
      setImmediate(write);
    };
    write();
    const session = await reading;
    expect(session.messages.slice(0, body.length)).toEqual(body);
    // The reading may see the first half of the last line.
    const kinds = kindsOf(session).filter((kind) => !kind.startsWith('torn-line'));
    expect(kinds).toEqual(['grew']);
    expect(session.complete).toBe(false);
  });
});

describe('a path that is no session file', () => {
  it.each(['folder/', '/dev/zero', '/dev/null'])(
    'is refused: %s (claim: sessions-regular-files)',
    async (path) => {
      const folder = makeTree({ 'folder/': '' });
      await expect(readSession(resolve(folder, path))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        hint: expect.stringContaining('is not a regular file'),
      });
    },
  );

  it('is refused if it is larger than any session', async () => {
    const file = join(makeTree({ 'session.jsonl': '' }), 'session.jsonl');
    truncateSync(file, 2 ** 31);
    await expect(readSession(file)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('has 2147483648 bytes'),
    });
  });

  it('is an error if it cannot be opened', async () => {
    const folder = makeTree();
    symlinkSync('nowhere', join(folder, 'broken.jsonl'));
    mkdirSync(join(folder, 'empty'));
    await expect(readSession(join(folder, 'broken.jsonl'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('ENOENT'),
    });
  });
});
