import { describe, expect, it } from 'vitest';
import type { TokenCounts, Usage } from '../../../src/api/result.js';
import { fillUsage } from '../../../src/base/usage/fill-usage.js';
import { NO_TOKENS } from '../../../src/base/usage/token-counts.js';

const usageOf = (counts: Partial<TokenCounts>, model = 'm'): Usage => {
  const all = { ...NO_TOKENS, ...counts };
  return { ...all, models: { [model]: all }, toolCalls: 1 };
};

describe('fillUsage', () => {
  it('takes tokens of tool use out of the rest, which a stream reports as thoughts', () => {
    const reported = usageOf({ total: 1530, input: 1000, output: 20, cached: 400, thoughts: 510 });
    const recorded = usageOf({ total: 1530, input: 1000, output: 20, thoughts: 500, tool: 10 });
    const filled = { total: 1530, input: 1000, output: 20, cached: 400, thoughts: 500, tool: 10 };
    expect(fillUsage(reported, recorded)).toEqual({ ...usageOf(filled) });
  });

  it('adds thoughts and cached tokens to a report that has only input and output', () => {
    const reported = usageOf({ total: 60, input: 50, output: 10 });
    const recorded = usageOf({ total: 47, input: 30, output: 10, cached: 8, thoughts: 7 });
    const filled = { total: 67, input: 50, output: 10, cached: 8, thoughts: 7, tool: 0 };
    expect(fillUsage(reported, recorded)).toEqual(usageOf(filled));
  });

  it('leaves the counts of a model alone that the session file does not name', () => {
    const reported = usageOf({ total: 60, input: 50, output: 10 }, 'auto');
    const recorded = usageOf({ total: 47, input: 30, output: 10, thoughts: 7 }, 'flash');
    expect(fillUsage(reported, recorded).models).toEqual({
      auto: { ...NO_TOKENS, total: 60, input: 50, output: 10 },
    });
  });
});
