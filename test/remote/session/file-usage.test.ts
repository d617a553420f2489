import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { FileUsage } from '../../../src/remote/session/file-usage.js';

const answer = (id: string, total: number, model = 'gemini-2.5-flash'): SessionMessage => ({
  id,
  type: 'gemini',
  model,
  timestamp: '2026-01-01T00:00:00.000Z',
  content: 'text',
  tokens: { total, input: total, output: 0, cached: 0, thoughts: 0, tool: 0 },
});

describe('FileUsage', () => {
  it('counts answers that the CLI has written again without their tokens, and those after them', () => {
    const usage = new FileUsage();
    usage.accept(answer('a', 1_000_000));
    const before = usage.sum();
    expect(before.costUsd).toBeGreaterThan(0);
    const { tokens: _, ...rewritten } = answer('a-again', 0);
    usage.accept(rewritten);
    expect(usage.sum()).toEqual(before);
    usage.accept(answer('b', 500));
    expect(usage.sum().tokens).toBe(1_000_500);
    expect(usage.sum().costUsd).toBeGreaterThan(before.costUsd ?? 0);
  });

  it('goes on from the log of an earlier run of the server if the file has lost counts since', () => {
    const usage = new FileUsage();
    usage.restore({ tokens: 1000, costUsd: 2 });
    usage.accept(answer('b', 300));
    expect(usage.sum().tokens).toBe(1000);
    usage.accept(answer('c', 300));
    expect(usage.sum().tokens).toBe(1300);
    expect(usage.sum().costUsd).toBeGreaterThan(2);
  });

  it('tells no cost if a price is unknown', () => {
    const usage = new FileUsage();
    usage.accept(answer('a', 10, 'some-other-model'));
    expect(usage.sum()).toEqual({ tokens: 10, costUsd: undefined });
  });
});
