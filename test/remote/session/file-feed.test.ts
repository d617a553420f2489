import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RemoteEntryContent } from '../../../src/api/remote-entry.js';
import type { UnifiedMessage } from '../../../src/api/unified-message.js';
import type { SessionSink } from '../../../src/remote/drivers/session-driver.js';
import { FileFeed } from '../../../src/remote/session/file-feed.js';
import { watchSession } from '../../../src/sessions/watch/watch-session.js';
import { feedByHand, foldMessages } from './feed-by-hand.js';

const SESSIONS = new URL('../../fixtures/interactive/sessions/', import.meta.url);

/** Id of a message that ends the watch: all others have been reported before. */
const LAST = 'the last message';

/** Writes a recording in several parts, as the CLI would, and feeds what the watch reports. */
async function feed(name: string, parts: number): Promise<RemoteEntryContent[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'feed-')), 'session.jsonl');
  const added: RemoteEntryContent[] = [];
  const sink: SessionSink = {
    sessionId: 's',
    add: (content) => added.push(content),
    update: () => {},
    preview: () => {},
    ask: async () => ({ outcome: 'withdrawn' }),
    usage: () => {},
    spend: () => {},
  };
  const fileFeed = new FileFeed(sink);
  const lines = readFileSync(new URL(name, SESSIONS), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const last = { id: LAST, timestamp: '2026-11-16T15:00:00.000Z', type: 'user', content: 'end' };
  const size = Math.ceil(lines.length / parts);
  const write = (part: number): void => {
    const text = lines
      .slice(part * size, (part + 1) * size)
      .map((line) => `${line}\n`)
      .join('');
    if (text !== '') appendFileSync(path, text);
  };
  write(0);
  const ending = new AbortController();
  let part = 1;
  const writing = setInterval(() => {
    if (part < parts) write(part);
    else if (part === parts) appendFileSync(path, `${JSON.stringify(last)}\n`);
    part++;
  }, 150);
  for await (const update of watchSession(path, { signal: ending.signal })) {
    if (update.type === 'message' && update.message.id === LAST) ending.abort();
    else fileFeed.accept(update);
  }
  clearInterval(writing);
  fileFeed.flush();
  return added;
}

const textsOf = (entries: readonly RemoteEntryContent[]): string[] =>
  foldMessages(entries).map(({ role, blocks, isForgotten }) => {
    const text = blocks
      .filter(({ type }) => type === 'text')
      .map(({ text: words }) => words)
      .join('');
    return `${isForgotten === true ? '(forgotten) ' : ''}${role}: ${text}`;
  });

describe('FileFeed on recordings of the interactive CLI', () => {
  it('keeps a refused turn, and shows the turns before it once', async () => {
    const texts = textsOf(await feed('deny-after-first-tool-of-turn.jsonl', 2));
    expect(texts.filter((text) => text.includes('turn zero'))).toEqual(['user: turn zero']);
    expect(texts).toContain('user: please XWRITESHELL');
  });

  it.each([
    'tui-cancelled-turns.jsonl',
    'tui-allow-deny-interleaved.jsonl',
    'two-writers-then-tui-deny.jsonl',
  ])('never loses a message that was shown: %s', async (name) => {
    const entries = await feed(name, 3);
    const messages = entries.filter((entry) => entry.type === 'message');
    const emptied = new Set(
      messages.filter(({ blocks }) => blocks.length === 0).map(({ messageId }) => messageId),
    );
    const shown = new Set(
      messages.map(({ messageId }) => messageId).filter((id) => !emptied.has(id)),
    );
    expect(foldMessages(entries).map(({ messageId }) => messageId)).toEqual([...shown]);
    const prompts = textsOf(entries).filter((text) => text.includes('user: '));
    expect(prompts.length).toBeGreaterThan(1);
    expect(prompts.some((text) => text.startsWith('(forgotten)'))).toBe(true);
    expect(prompts.some((text) => text.includes('session_context'))).toBe(false);
  });
});

it.each([1, 3, 28])(
  'shows a session that went from the desk to a device and back once, read in %i parts',
  async (parts) => {
    const texts = textsOf(await feed('handover-after-resume.jsonl', parts));
    const prompts = texts.filter(
      (text) => text.includes('user: ') && !text.includes('Function Response'),
    );
    expect(prompts).toEqual([
      'user: first in TUI',
      'user: please XWRITE in TUI',
      'user: please XSHELL over ACP',
    ]);
  },
);

it('compares a message with the log when it has changed, not with each change of the file', () => {
  const added: RemoteEntryContent[] = [];
  const feed = new FileFeed({
    ...{ sessionId: 's', update: () => {}, preview: () => {}, usage: () => {}, spend: () => {} },
    add: (content) => added.push(content),
    ask: async () => ({ outcome: 'withdrawn' }),
  });
  let looks = 0;
  for (let n = 0; n < 100; n++) {
    const message: UnifiedMessage = {
      ...{ id: `message ${n}`, role: 'user', tool: 'gemini' },
      get content() {
        looks++;
        return [{ type: 'text' as const, text: `text ${n}` }];
      },
      _original: { id: `message ${n}`, type: 'user', content: '' },
    };
    feed.accept({ type: 'message', change: 'new', message });
    feed.flush();
  }
  expect(added.length).toBe(100);
  expect(looks).toBe(100);
});

it('shows a prompt that was refused and sent again with the same words as two prompts', () => {
  const { byHand, added, accept, remove } = feedByHand();
  accept('a', 'write it');
  remove('a');
  byHand.beginTurn();
  accept('b', 'write it');
  expect(foldMessages(added).map(({ messageId, isForgotten }) => [messageId, isForgotten])).toEqual(
    [
      ['a', true],
      ['b', undefined],
    ],
  );
});

it('knows a prompt again that the CLI has written with the contents of its files', () => {
  const { added, accept, remove } = feedByHand();
  const files = '\n--- Content from referenced files ---';
  accept('a', 'read @a.txt', files, '\nContent from @a.txt:\n', 'secret');
  accept('b', `read @a.txt${files}\nContent from @a.txt:\nsecret`);
  remove('a');
  const shown = foldMessages(added).filter(({ blocks }) => blocks.length > 0);
  expect(shown.map(({ blocks }) => blocks)).toEqual([[{ type: 'text', text: 'read @a.txt' }]]);
});
