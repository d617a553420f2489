import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import type { Usage } from '../../src/api/result.js';
import type { ToolCompletionEvent } from '../../src/api/tool-event.js';
import { NO_TOKENS } from '../../src/base/usage/token-counts.js';
import { silentLogger } from '../../src/config/logging.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { LiveProgress } from '../../src/step/live-progress.js';
import { WallClockMark } from '../../src/step/wall-clock-mark.js';
import { makeFolder } from '../fixtures/cli/support.js';
import { chat, gemini, record } from '../sessions/list/gemini-home.js';

const SESSION = '11111111-aaaa';
const usageOf = (total: number): Usage => ({ ...NO_TOKENS, total, models: {}, toolCalls: 0 });
const text = (): AgentEvent => ({ type: 'text-delta', text: 'x', textKind: 'text' });
const edit = { kind: 'edit', category: 'file-write' } as const;
const begin = (callId: string): AgentEvent => {
  return { type: 'tool-invocation', ...edit, callId, toolName: 'write_file', input: {} };
};
const end = (callId: string, more: Partial<ToolCompletionEvent> = {}): AgentEvent => {
  const outcome = { status: 'completed', isError: false, toolName: undefined } as const;
  return { type: 'tool-completion', ...edit, callId, ...outcome, ...more };
};

/** Follows events, and returns the news among what a caller gets. An event may be a function that writes first. */
function open({ hasSessionFile = true } = {}) {
  const home = makeFolder({ [chat(SESSION)]: record(SESSION) });
  const file = join(home, chat(SESSION));
  const geminiHome = hasSessionFile ? home : undefined;
  const resolved = {
    ...{ geminiHome, workingDir: '/projects/app', logger: silentLogger },
    config: resolveConfig({ model: 'gemini-2.5-flash' }),
  };
  const progress = new LiveProgress({ resolved, remote: undefined }, new WallClockMark());
  const follow = async (events: readonly (AgentEvent | (() => AgentEvent))[], id = SESSION) => {
    const source = (async function* () {
      for (const event of events) yield typeof event === 'function' ? event() : event;
      return 'outcome';
    })();
    const news: AgentEvent[] = [];
    const turn = progress.follow(source, () => (id === '' ? undefined : id));
    for (let next = await turn.next(); ; next = await turn.next()) {
      if (next.done) {
        expect(next.value).toBe('outcome');
        return news;
      }
      if (/^(?:usage-update|file-change)$/.test(next.value.type)) news.push(next.value);
    }
  };
  const append = (message: object) => appendFileSync(file, `${JSON.stringify(message)}\n`);
  return { progress, follow, append };
}

const wrote = (id: string, path: string, before: string | undefined, after: string) => ({
  ...{ id, name: 'write_file', status: 'success', args: { file_path: path, content: after } },
  resultDisplay: {
    filePath: path,
    originalContent: before ?? null,
    newContent: after,
    isNewFile: before === undefined,
    fileDiff: 'x',
  },
});

describe('the progress of a step', () => {
  it('has file changes and tokens of the session file, each once', async () => {
    const { progress, follow, append } = open();
    const answer = (id: string, toolCalls: object[]) =>
      gemini(id, { timestamp: new Date().toISOString(), toolCalls, model: 'gemini-2.5-flash' });
    const news = await follow([
      begin('c'),
      () => {
        append(answer('1', [wrote('c', '/projects/app/a.ts', undefined, 'new\n')]));
        return end('c');
      },
      text(),
      () => {
        append(answer('2', [wrote('d', 'b.ts', 'old\n', 'new\n'), wrote('e', 'c.ts', 'x', 'x')]));
        return text();
      },
    ]);
    expect(news).toMatchObject([
      { type: 'file-change', path: 'a.ts', kind: 'created', callId: 'c', diff: expect.any(String) },
      { type: 'usage-update', usage: { total: 12 }, cost: { usd: expect.any(Number) } },
      { type: 'file-change', path: 'b.ts', kind: 'modified' },
      { type: 'file-change', path: 'c.ts', kind: 'unchanged' },
      { type: 'usage-update', usage: { total: 24 } },
    ]);
    expect(progress.usage).toMatchObject({ total: 24 });
    await progress.close();
  });

  it('has the file changes that an agent sends with the end of a call, once', async () => {
    const { follow, append, progress } = open();
    const content = [
      { type: 'text', text: 'done' },
      { type: 'diff', path: '/projects/app/a.ts', oldText: null, newText: 'new\n' },
    ] as const;
    const derived = { mutation: { tool: 'replace', path: 'real.ts' } };
    const change = [{ type: 'diff', path: 'shown.ts', oldText: 'a', newText: 'b' }] as const;
    const news = await follow([
      end('c', { content }),
      () => {
        const timestamp = new Date().toISOString();
        append(gemini('1', { timestamp, toolCalls: [wrote('c', 'a.ts', undefined, 'new\n')] }));
        return end('c', { content });
      },
      end('d', { content, isError: true }),
      end('f', { content: change, derived, toolName: 'replace' }),
    ]);
    expect(news.filter(({ type }) => type === 'file-change')).toMatchObject([
      { path: 'a.ts', kind: 'created', callId: 'c', toolName: 'unknown' },
      { path: 'real.ts', kind: 'modified', callId: 'f', toolName: 'replace' },
    ]);
    await progress.close();
  });

  it('adds the usage of earlier turns to what an agent reports', async () => {
    const { follow, progress } = open({ hasSessionFile: false });
    const first = await follow([{ type: 'usage-update', usage: usageOf(5) }], '');
    const second = await follow([{ type: 'usage-update', usage: usageOf(7) }]);
    expect([...first, ...second]).toMatchObject([
      { usage: { total: 5 } },
      { usage: { total: 12 } },
    ]);
    await progress.close();
  });
});
