import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createQueueAgent } from '../programs/queue-agent.mjs';
import { openQueueLab } from './queue-lab.js';
import { listStores, type StoreName } from './servers.js';

const { stores } = listStores();

/** Most requests of caller and worker together for one step, with one batch of events, without looks by timers. */
const MOST_REQUESTS = { redis: 17, postgres: 22 };
const FINISH = { redis: /^evalsha/, postgres: /move_to_completed/ };
const PROGRESS = { redis: /^evalsha/, postgres: /update_progress/ };

interface Entry {
  readonly text: string;
  isAnswered: boolean;
}

/** Notes each request of this process to a store, and when it is answered. */
function noteRequests(): Entry[] {
  const entries: Entry[] = [];
  const note = (text: string): (() => void) => {
    const entry = { text, isAnswered: false };
    entries.push(entry);
    return () => {
      entry.isAnswered = true;
    };
  };
  const { query } = pg.Client.prototype;
  const { sendCommand } = Redis.prototype;
  const spies = [
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const answered = note(String(args[0]));
      const last = args.at(-1);
      if (typeof last !== 'function') return Reflect.apply(query, this, args);
      // The pool hands over a function that takes the answer.
      const take = (...answer: unknown[]): void => {
        answered();
        Reflect.apply(last, undefined, answer);
      };
      return Reflect.apply(query, this, [...args.slice(0, -1), take]);
    }),
    vi.spyOn(Redis.prototype, 'sendCommand').mockImplementation(function (this: Redis, ...args) {
      const answered = note(args[0].name);
      const answer = Reflect.apply(sendCommand, this, args);
      if (answer instanceof Promise) void answer.then(answered, answered);
      return answer;
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return entries;
}

/** Returns the agent of the tests, which notes when its steps begin and end. */
function createNotingAgent(runs: string, entries: Entry[], onBegin: () => void) {
  const agent = createQueueAgent(runs);
  return {
    ...agent,
    async *stream(...args: Parameters<typeof agent.stream>) {
      entries.push({ text: 'step begins', isAnswered: true });
      onBegin();
      for await (const event of agent.stream(...args)) {
        if (event.type === 'turn-complete') entries.push({ text: 'step ends', isAnswered: true });
        yield event;
      }
    },
  };
}

describe.each(stores)('%s', (store: StoreName) => {
  test('a step waits for four requests: add, take, finish, read the end', async () => {
    const lab = await openQueueLab(store);
    const entries = noteRequests();
    const waited: boolean[] = [];
    const provider = createNotingAgent(lab.runs, entries, () => {
      const progress = entries.findLast(({ text }) => PROGRESS[store].test(text));
      waited.push(progress?.isAnswered ?? false);
    });
    // @ts-expect-error: the agent has only the members that a worker uses.
    await lab.work({ provider });
    const caller = lab.connect({ workspace: 'shared' });
    await caller.generate('step=warm');
    const counts: number[] = [];
    const after: string[] = [];
    for (let round = 0; round < 5; round++) {
      entries.length = 0;
      await caller.generate('wait=100');
      counts.push(entries.length);
      const end = entries.findIndex(({ text }) => text === 'step ends');
      after.push(entries[end + 1]?.text ?? '');
    }
    // A look by a timer may come between: the best of the rounds shows what a step itself needs.
    expect(Math.min(...counts)).toBeLessThanOrEqual(MOST_REQUESTS[store]);
    expect(after.some((text) => FINISH[store].test(text))).toBe(true);
    expect(waited).toContain(false);
  });
});
