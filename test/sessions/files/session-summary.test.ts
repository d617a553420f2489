import { chmodSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { readSessionSummary } from '../../../src/sessions/files/session-summary.js';
import { context, gemini, record, recordOld, timeAt, user } from '../list/gemini-home.js';
import { fixtures, LEGACY_SESSIONS, lines, sessionFile } from './session-text.js';

const KILOBYTE = 1024;

function summaryOf(text: string, name?: string) {
  return readSessionSummary(sessionFile(text, name));
}

/** Returns a tool call that makes its message long. */
function longCall(kilobytes: number, args: object = {}): object {
  return {
    toolCalls: [
      { id: 'c', name: 'x', args: { ...args, content: 'y'.repeat(kilobytes * KILOBYTE) } },
    ],
  };
}

describe('the summary of a recorded session', () => {
  it.each([
    ['headless_write_replace_shell.jsonl', 'SCN:w do it'],
    ['headless_subagent.jsonl', 'SCN:agent'],
    ['headless_subagent.child.jsonl', expect.stringMatching(/^Your task is /)],
    ['headless_big_tool_output.jsonl', 'SCN:big'],
    ['headless_parallel_calls.jsonl', 'go on'],
    ['headless_resumed_hook.jsonl', 'go on'],
    ['headless_resumed_same_minute.jsonl', 'go on'],
    ['acp_tools.jsonl', 'go on'],
    [`legacy/${LEGACY_SESSIONS[0]}.json`, 'Let the program count the words of its argument.'],
    [`legacy/${LEGACY_SESSIONS[1]}.json`, 'Run the tests.'],
    [`legacy/${LEGACY_SESSIONS[2]}.json`, expect.stringMatching(/^Summarise these notes: --- /)],
  ])('equals the facts of the whole file: %s', async (name, firstPrompt) => {
    const file = join(fixtures, name);
    const { header, messages } = await readSession(file);
    expect(readSessionSummary(file)).toEqual({
      header,
      startedAt: header?.startTime,
      updatedAt: header?.lastUpdated,
      firstPrompt,
      isResumable: true,
      model: messages.findLast(({ model }) => model)?.model,
      bytes: statSync(file).size,
    });
  });

  it('is not resumable if there are no messages', () => {
    expect(readSessionSummary(join(fixtures, 'acp_session.0.jsonl'))).toMatchObject({
      firstPrompt: undefined,
      model: undefined,
      isResumable: false,
    });
  });
});

describe('the first prompt', () => {
  it('is found after the context, even if the context lists many files', () => {
    const text = lines(
      { sessionId: 's' },
      { $set: { messages: [context(200)] } },
      user('1', 'the prompt'),
    );
    expect(text.length).toBeGreaterThan(5 * KILOBYTE);
    expect(summaryOf(text)?.firstPrompt).toBe('the prompt');
    const longer = lines(
      { sessionId: 's' },
      { $set: { messages: [context(5000)] } },
      user('1', 'the prompt'),
    );
    expect(longer.length).toBeGreaterThan(100 * KILOBYTE);
    expect(summaryOf(longer)?.firstPrompt).toBe('the prompt');
  });

  it('is cut if it is longer than the part that is read', () => {
    const prompt = `Fix "this":\n\t\\ é 😀 ${'all of it '.repeat(200 * KILOBYTE)}`;
    for (const text of [
      record('s', { prompt }),
      lines({ sessionId: 's' }, { id: '1', type: 'user', content: prompt }),
      recordOld('s', [user('1', prompt)]),
      recordOld('s', [{ id: '1', type: 'user', content: prompt }]),
    ]) {
      const summary = summaryOf(text);
      expect(summary?.firstPrompt).toMatch(/^Fix "this": \\ é 😀 all of it all.*…$/);
      expect([...(summary?.firstPrompt ?? '')]).toHaveLength(200);
      expect(summary?.isResumable).toBe(true);
    }
  });

  it('is cut between characters', () => {
    expect(summaryOf(record('s', { prompt: '😀'.repeat(300) }))?.firstPrompt).toBe(
      `${'😀'.repeat(199)}…`,
    );
    expect(summaryOf(record('s', { prompt: '😀'.repeat(200) }))?.firstPrompt).toBe(
      '😀'.repeat(200),
    );
  });

  it('is on one line', () => {
    expect(summaryOf(record('s', { prompt: '  a\n\n b\tc ' }))?.firstPrompt).toBe('a b c');
  });

  it('is the text after the context of a hook', () => {
    const prompt = '<hook_context>Be brief.</hook_context>\n\nGo on.';
    expect(summaryOf(record('s', { prompt }))?.firstPrompt).toBe('Go on.');
    const long = `<hook_context>${'x '.repeat(300)}</hook_context>Go on. ${'y '.repeat(500 * KILOBYTE)}`;
    expect(summaryOf(record('s', { prompt: long }))?.firstPrompt).toMatch(/^Go on\. y y/);
  });

  it('is no command of the CLI if there is another prompt', () => {
    const records = [user('1', 'the prompt')];
    expect(summaryOf(record('s', { prompt: '/help', records }))?.firstPrompt).toBe('the prompt');
    expect(summaryOf(record('s', { prompt: '/help' }))?.firstPrompt).toBe('/help');
  });

  it('is not the answer of a tool', () => {
    const answer = { functionResponse: { id: 'c', name: 'x', response: { output: 'x' } } };
    const records = [{ id: '1', type: 'user', content: [answer] }];
    expect(summaryOf(record('s', { prompt: '', records }))?.firstPrompt).toBeUndefined();
  });

  it('need not end with a newline', () => {
    expect(summaryOf(record('s', { prompt: 'the prompt' }).trimEnd())?.firstPrompt).toBe(
      'the prompt',
    );
  });

  it('is not a prompt that was removed', () => {
    const records = [{ $rewindTo: 'prompt' }, user('2', 'the other')];
    expect(summaryOf(record('s', { prompt: 'the one', records }))?.firstPrompt).toBe('the other');
  });
});

describe('the last update', () => {
  it('is read from the last line', () => {
    const records = [gemini('1'), { $set: { lastUpdated: timeAt(7) } }];
    expect(summaryOf(record('s', { records }))?.updatedAt).toBe(timeAt(7));
  });

  it.each([10, 100, 400])('is found before a last line of %d kB', (kilobytes) => {
    const records = [
      gemini('1', longCall(600)),
      gemini('2', { model: 'pro' }),
      { $set: { lastUpdated: timeAt(7) } },
      gemini('3', { model: undefined, ...longCall(kilobytes) }),
    ];
    expect(summaryOf(record('s', { records }))).toMatchObject({
      updatedAt: timeAt(7),
      model: 'pro',
    });
  });

  it('is the time of the file if the end has none', () => {
    const file = sessionFile(record('s', { records: [gemini('1', longCall(2000))] }));
    utimesSync(file, 1_800_000_000, 1_800_000_000);
    expect(readSessionSummary(file)?.updatedAt).toBe(new Date(1_800_000_000_000).toISOString());
  });

  it.each([undefined, 'yesterday', 5])(
    'is the time of the file if the header has %j',
    (lastUpdated) => {
      const file = sessionFile(lines({ sessionId: 's', lastUpdated }, user('1', 'x')));
      utimesSync(file, 1_800_000_000, 1_800_000_000);
      expect(readSessionSummary(file)?.updatedAt).toBe(new Date(1_800_000_000_000).toISOString());
    },
  );

  it('always has the same form, so that it can be compared', () => {
    const header = { startTime: '2026-11-16T02:00:00+02:00', lastUpdated: '2026-11-16T00:00:05Z' };
    const summary = summaryOf(lines({ sessionId: 's', ...header }, user('1', 'x')));
    expect(summary).toMatchObject({
      startedAt: '2026-11-16T00:00:00.000Z',
      updatedAt: '2026-11-16T00:00:05.000Z',
    });
  });
});

describe('the summary and the model', () => {
  const filler = gemini('filler', longCall(30));

  it('are the last ones of the session', () => {
    const records = [
      gemini('1', { model: 'flash' }),
      { $set: { summary: 'first' } },
      filler,
      gemini('2', { model: 'pro' }),
      gemini('3', { model: undefined }),
      { $set: { summary: 'second' } },
    ];
    const summary = summaryOf(record('s', { records }));
    expect(summary).toMatchObject({ model: 'pro', header: { summary: 'second' } });
  });

  it('are not read from arguments of tools', () => {
    const args = { summary: 'wrong', model: 'wrong', lastUpdated: timeAt(99) };
    const call = { id: 'c', name: 'x', args, status: 'success' };
    const last = gemini('2', { model: 'pro', toolCalls: [call], content: '"model":"wrong"' });
    const lined = summaryOf(record('s', { records: [filler, last] }));
    expect(lined).toMatchObject({ model: 'pro', updatedAt: timeAt(0) });
    expect(lined?.header.summary).toBeUndefined();
    const messages = [user('1', 'x'), filler, last];
    const old = summaryOf(recordOld('s', messages, { summary: 'right' }));
    expect(old).toMatchObject({ model: 'pro', header: { summary: 'right' }, updatedAt: timeAt(1) });
    expect(summaryOf(recordOld('s', messages))?.header.summary).toBeUndefined();
  });

  it('may have odd characters', () => {
    const summary = 'Say "x\\y"\n\u2028 – done';
    expect(summaryOf(recordOld('s', [user('1', 'x'), filler], { summary }))?.header.summary).toBe(
      summary,
    );
  });

  it('are known for a resumed session', () => {
    const records = [
      filler,
      { $set: { messages: [user('1', 'x'), gemini('2', { model: 'pro' })] } },
    ];
    expect(summaryOf(record('s', { records }))?.model).toBe('pro');
  });

  it('are not replaced by a damaged header', () => {
    const records = [{ $set: { summary: 'right' } }, filler, { $set: { summary: 5 } }];
    expect(summaryOf(record('s', { header: { summary: 'right' }, records }))?.header.summary).toBe(
      'right',
    );
  });
});

describe('the summary of a damaged file', () => {
  it.each([
    ['empty', ''],
    ['garbage', 'garbage\n'],
    ['some other JSON', '{"a":1}\n'],
    ['a list', '[1,2]'],
    ['a torn header', '{"sessionId":"s'],
    ['messages without a header', lines(user('1', 'x'))],
    ['zeros', '\0'.repeat(100_000)],
  ])('does not exist: %s', (_what, text) => {
    expect(summaryOf(text)).toBeUndefined();
  });

  it('does not exist if the file is missing', () => {
    expect(readSessionSummary('/nowhere/session.jsonl')).toBeUndefined();
  });

  it('does not exist if the file is not readable', () => {
    const file = sessionFile(record('s'));
    chmodSync(file, 0o000);
    // The superuser may read every file.
    const isSuperuser = process.getuid?.() === 0;
    expect(readSessionSummary(file) === undefined).toBe(!isSuperuser);
  });

  it('exists if only the summary text is broken', () => {
    const text = recordOld('s', [user('1', 'x'), gemini('2', longCall(30))], {
      summary: 'SUMMARY',
    });
    expect(summaryOf(text.replace('SUMMARY', 'a\\x'))).toMatchObject({ firstPrompt: 'x' });
  });

  it('exists if only the prompt is broken', () => {
    const text = record('s', { prompt: `PROMPT${'y'.repeat(600 * KILOBYTE)}` });
    expect(summaryOf(text.replace('PROMPT', 'a\tb'))).toMatchObject({ firstPrompt: 'a' });
    expect(summaryOf(text.replace('PROMPT', '\\x'))).toMatchObject({ firstPrompt: undefined });
  });
});
