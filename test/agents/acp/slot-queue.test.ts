import { describe, expect, it } from 'vitest';
import type { Launch } from '../../../src/agents/acp/launch.js';
import { SlotQueue, type SlotRequest } from '../../../src/agents/acp/slot-queue.js';
import { silentLogger } from '../../../src/config/logging.js';

function ask(key: string, signal = new AbortController().signal): SlotRequest {
  const launch: Launch = {
    key,
    name: key,
    command: key,
    capabilities: { files: false, terminals: false },
    build: async () => ({ args: [], env: {}, cwd: '/' }),
  };
  const spec = { cwd: '/', mcpServers: [] };
  return { launch, spec, isExclusive: false, signal, logger: silentLogger };
}

describe('steps that wait for a slot', () => {
  it('are served in the order of their requests', async () => {
    const queue = new SlotQueue();
    const order: string[] = [];
    const requests = ['first', 'second'].map((name) => ({ ...ask('a'), name }));
    const waits = requests.map((request) => {
      return queue.wait(request).then(() => order.push(request.name));
    });
    expect([queue.length, queue.isWaitedFor('a'), queue.isWaitedFor('b')]).toEqual([
      2,
      true,
      false,
    ]);
    queue.admit(() => 'start');
    expect(queue.length).toBe(1);
    queue.admit(() => 'start');
    await Promise.all(waits);
    expect(order).toEqual(['first', 'second']);
  });

  it('are overtaken only by steps that need another process', () => {
    const queue = new SlotQueue();
    for (const key of ['a', 'a', 'b']) void queue.wait(ask(key));
    const asked: string[] = [];
    queue.admit(({ launch }) => {
      asked.push(launch.key);
      return launch.key === 'b' ? 'start' : undefined;
    });
    expect(asked).toEqual(['a', 'b']);
    expect([queue.length, queue.isWaitedFor('b')]).toEqual([2, false]);
  });

  it('stop waiting when they are cancelled, and when the queue ends all waits', async () => {
    const queue = new SlotQueue();
    const controller = new AbortController();
    const cancelled = queue.wait(ask('a', controller.signal));
    const other = queue.wait(ask('a'));
    controller.abort();
    expect(await cancelled).toBeUndefined();
    expect(queue.length).toBe(1);
    queue.endWaiting();
    expect(await other).toBeUndefined();
    expect(queue.length).toBe(0);
  });
});
