import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/agents/acp/event-queue.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { makeFolder } from '../../fixtures/cli/support.js';

function open() {
  const file = join(makeFolder(), 'events.ndjson');
  return { file, queue: new EventQueue(file) };
}

function text(words: string): AgentEvent {
  return { type: 'text-delta', text: words, textKind: 'text' };
}

function wordsOf(event: AgentEvent | undefined): string {
  return event?.type === 'text-delta' ? event.text : '';
}

async function drain(queue: EventQueue): Promise<string[]> {
  const words: string[] = [];
  for await (const event of queue) words.push(wordsOf(event));
  return words;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const isOpen = (file: string) => {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return statSync(`/proc/self/fd/${fd}`).ino === statSync(file).ino;
    } catch {
      return false;
    }
  });
};

describe('events of a queue', () => {
  it('reach a fast consumer in order and need no file', async () => {
    const { queue, file } = open();
    const drained = drain(queue);
    for (const word of numbers(3000)) {
      queue.push(text(word));
      if (Number(word) % 100 === 0) await new Promise(setImmediate);
    }
    queue.end();
    expect(await drained).toEqual(numbers(3000));
    expect(existsSync(file)).toBe(false);
  });

  it('are waited for until the queue is ended', async () => {
    const { queue } = open();
    const events = queue[Symbol.asyncIterator]();
    const first = events.next();
    queue.push(text('late'));
    expect(await first).toMatchObject({ value: { text: 'late' } });
    const second = events.next();
    queue.end();
    expect(await second).toEqual({ done: true, value: undefined });
  });

  it('beyond the first thousand wait in a file, and still come in order', async () => {
    const { queue, file } = open();
    for (const word of numbers(10_000)) queue.push(text(word));
    queue.end();
    // The file has one line for each event that is not in memory.
    const line = (word: string) => JSON.stringify(text(word)).length + 1;
    const spilled = numbers(10_000).slice(1000);
    expect(statSync(file).size).toBe(spilled.reduce((sum, word) => sum + line(word), 0));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await drain(queue)).toEqual(numbers(10_000));
    expect(isOpen(file)).toBe(false);
  });

  it('that are large wait in a file sooner', async () => {
    const { queue, file } = open();
    const large = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 6; n++) queue.push(text(`${n}${large}`));
    queue.end();
    expect(statSync(file).size).toBeGreaterThan(2 * large.length);
    expect((await drain(queue)).map((word) => word[0])).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('with large diffs wait in a file sooner too', async () => {
    const { queue, file } = open();
    const newText = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 6; n++) {
      queue.push({
        type: 'tool-completion',
        callId: String(n),
        toolName: 'write_file',
        kind: 'edit',
        category: 'file-write',
        status: 'completed',
        isError: false,
        content: [{ type: 'diff', path: '/w/a', oldText: null, newText }],
      });
    }
    queue.end();
    expect(existsSync(file)).toBe(true);
    const ids: string[] = [];
    for await (const event of queue) if (event.type === 'tool-completion') ids.push(event.callId);
    expect(ids).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('stay in order while the queue switches between memory and file', async () => {
    const { queue, file } = open();
    const taken: string[] = [];
    const events = queue[Symbol.asyncIterator]();
    const take = async (count: number) => {
      for (let n = 0; n < count; n++) taken.push(wordsOf((await events.next()).value ?? undefined));
    };
    let pushed = 0;
    const push = (count: number) => {
      for (let n = 0; n < count; n++) queue.push(text(String(pushed++)));
    };
    const sizes: number[] = [];
    for (const [more, fewer] of [
      [2500, 1200],
      [10, 1310],
      [5, 5],
      [1500, 700],
      [3000, 3800],
      [1, 1],
    ] as const) {
      push(more);
      await take(fewer);
      sizes.push(existsSync(file) ? statSync(file).size : 0);
    }
    queue.end();
    expect(await events.next()).toMatchObject({ done: true });
    expect(taken).toEqual(numbers(pushed));
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes.at(-1)).toBeGreaterThan(sizes[0] ?? 0);
  });

  it('are not lost if the consumer takes them while others are written', async () => {
    const { queue } = open();
    const words = numbers(12_000).map((word) => `${word} ünïcödé \u2028\n"${'y'.repeat(200)}"`);
    const pushing = (async () => {
      for (const [index, word] of words.entries()) {
        queue.push(text(word));
        if (index % 4000 === 3999) await new Promise(setImmediate);
      }
      queue.end();
    })();
    const seen: string[] = [];
    for await (const event of queue) {
      seen.push(wordsOf(event));
      if (seen.length % 1000 === 0) await new Promise(setImmediate);
    }
    await pushing;
    expect(seen).toEqual(words);
  });

  it('leave no file open if the consumer stops early', async () => {
    const { queue, file } = open();
    for (const word of numbers(3000)) queue.push(text(word));
    const seen: string[] = [];
    for await (const event of queue) {
      seen.push(wordsOf(event));
      if (seen.length === 1500) break;
    }
    expect(seen).toEqual(numbers(1500));
    expect(isOpen(file)).toBe(false);
    // Later calls of push() and end() do no harm.
    queue.push(text('late'));
    queue.end();
  });
});
