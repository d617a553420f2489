import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import type { SessionUpdate } from '../../../src/api/session-update.js';
import type { UnifyOptions } from '../../../src/api/unified-message.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import type { FileReading } from '../../../src/sessions/watch/file-reading.js';
import { JsonlFollower } from '../../../src/sessions/watch/follow-jsonl.js';
import { SessionDiff } from '../../../src/sessions/watch/session-diff.js';
import { ANSWER, fixtures, HEADER, QUESTION, sessionFile } from '../files/session-text.js';

function readingOf(
  written: readonly SessionMessage[],
  more: Partial<FileReading> = {},
): FileReading {
  return { written, removed: [], isEverything: false, header: HEADER, problems: [], ...more };
}

/** Describes each update by one word. */
function words(updates: readonly SessionUpdate[]): string[] {
  return updates.map((update) => {
    if (update.type === 'message') return `${update.change} ${update.message.id}`;
    return update.type === 'removed' ? `removed ${update.ids}` : update.type;
  });
}

function diff(options: UnifyOptions = {}) {
  const session = new SessionDiff(options);
  return (...reading: Parameters<typeof readingOf>) => words(session.accept(readingOf(...reading)));
}

const answerOf = (id: string) => ({ functionResponse: { id, name: 'glob', response: {} } });
const echo: SessionMessage = { id: 'echo', type: 'user', content: [answerOf('c')] };
const call = { id: 'c', name: 'glob', status: 'success', result: [answerOf('c')] };
const called: SessionMessage = { ...ANSWER, toolCalls: [call] };

/** Files with tool calls that are recorded several times, in two of them before and after a resume. */
const RECORDED = [
  'headless_write_replace_shell.jsonl',
  'headless_resumed_same_minute.jsonl',
  'headless_resumed_hook.jsonl',
  'headless_parallel_calls.jsonl',
  'acp_tools.jsonl',
];

describe('the messages of a watched file', () => {
  const cases = RECORDED.flatMap((name) =>
    (['omit', 'mark'] as const).map((extras) => ({ name, extras })),
  );

  it.each(cases)(
    'do not depend on when the file is read: $name, $extras',
    async ({ name, extras }) => {
      const text = readFileSync(join(fixtures, name), 'utf8');
      const all = text
        .trimEnd()
        .split('\n')
        .map((line) => `${line}\n`);
      const file = sessionFile('');
      const seen = toUnifiedMessages(await readSession(join(fixtures, name)), { extras });
      const wanted = new Map(seen.map((one) => [one.id, one]));
      // Read after each line, after each second line and so on, and once at the end.
      for (let step = 1; step <= all.length; step++) {
        writeFileSync(file, '');
        const [follower, session] = [new JsonlFollower(), new SessionDiff({ extras })];
        const known = new Map<string, unknown>();
        for (let index = 0; index < all.length; index += step) {
          appendFileSync(file, all.slice(index, index + step).join(''));
          for (const update of session.accept(await follower.readNew(file))) {
            if (update.type === 'message') known.set(update.message.id, update.message);
            if (update.type === 'removed') for (const id of update.ids) known.delete(id);
          }
        }
        expect(known, `${step} lines at a time`).toEqual(wanted);
      }
    },
  );
});

describe('SessionDiff', () => {
  it('reports new and changed messages, and no unchanged ones', () => {
    const accept = diff();
    expect(accept([QUESTION])).toEqual(['new q']);
    expect(accept([QUESTION, ANSWER])).toEqual(['new a']);
    expect(accept([QUESTION, { ...ANSWER, content: 'better' }])).toEqual(['changed a']);
    expect(accept([])).toEqual([]);
  });

  it('reports a message in its unified form', () => {
    const updates = new SessionDiff({}).accept(readingOf([QUESTION]));
    expect(updates).toMatchObject([
      { type: 'message', change: 'new', message: { role: 'user', _original: QUESTION } },
    ]);
  });

  it('reports removed messages', () => {
    const accept = diff();
    accept([QUESTION, ANSWER]);
    expect(accept([], { removed: ['a', 'nobody'] })).toEqual(['removed a']);
    expect(accept([], { removed: ['a'] })).toEqual([]);
    expect(accept([ANSWER])).toEqual(['new a']);
    expect(accept([{ ...ANSWER, id: 'b' }], { isEverything: true })).toEqual([
      'removed q,a',
      'new b',
    ]);
  });

  it('leaves out messages outside the conversation, also when they are removed', () => {
    const info = { id: 'i', type: 'info', content: 'x' };
    const context = { ...QUESTION, id: 'ctx', content: '<session_context>x</session_context>' };
    const accept = diff();
    expect(accept([context, called, echo, info])).toEqual(['new a']);
    expect(accept([], { removed: ['i', 'ctx', 'echo'] })).toEqual([]);
    const marking = diff({ extras: 'mark' });
    expect(marking([context, called, echo, info])).toEqual([
      'new ctx',
      'new a',
      'new echo',
      'new i',
    ]);
    expect(marking([], { removed: ['i'] })).toEqual(['removed i']);
  });

  it('recognises an answer that is recorded before its call', () => {
    expect(diff()([echo, called])).toEqual(['new a']);
  });

  it('removes an answer that becomes a repetition', () => {
    const accept = diff();
    expect(accept([ANSWER, echo])).toEqual(['new a', 'new echo']);
    expect(accept([called])).toEqual(['removed echo', 'changed a']);
    expect(accept([called, { ...echo, timestamp: 'later' }])).toEqual([]);
  });

  it('reports an answer again if its call was removed', () => {
    const accept = diff();
    expect(accept([called])).toEqual(['new a']);
    expect(accept([echo], { removed: ['a'] })).toEqual(['removed a', 'new echo']);
  });

  it('reports problems first', () => {
    const problem = { kind: 'garbage', message: 'x' } as const;
    expect(diff()([QUESTION], { problems: [problem] })).toEqual(['problem', 'new q']);
  });

  it('reports the status last', () => {
    const tokens = { input: 5, output: 2, total: 7 };
    const accept = diff();
    expect(accept([{ ...ANSWER, model: 'pro', tokens }])).toEqual(['new a', 'status']);
    expect(accept([{ ...ANSWER, model: 'pro', tokens, content: 'x' }])).toEqual(['changed a']);
    expect(accept([], { removed: ['a'] })).toEqual(['removed a', 'status']);
    expect(accept([], { header: { ...HEADER, summary: 's' } })).toEqual(['status']);
  });
});
