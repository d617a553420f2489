import { describe, expect, it } from 'vitest';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';

const OWN = {
  deniedTools: ['web_fetch'],
  protectedPaths: ['deploy/**'],
  maxCost: 1,
  model: 'gemini-2.5-flash',
};

describe('the limits of a provider (claim: queue-keeps-limits)', () => {
  it.each([
    [{ deniedTools: [] }, { deniedTools: ['web_fetch'] }],
    [{ deniedTools: ['glob'] }, { deniedTools: ['web_fetch', 'glob'] }],
    [{ protectedPaths: [] }, { protectedPaths: ['deploy/**'] }],
    [{ protectedPaths: ['a'] }, { protectedPaths: ['deploy/**', 'a'] }],
    [{ maxCost: 5 }, { maxCost: 1 }],
    [{ maxCost: 0.5 }, { maxCost: 0.5 }],
    [
      { model: 'x', timeout: 5 },
      { model: 'x', timeout: 5 },
    ],
    [{}, {}],
  ])('are kept in the options of a job: %j', (options, kept) => {
    expect(new GeminiCliProvider(OWN).keepLimits(options)).toEqual(kept);
  });

  it('give way to an option that the worker allows explicitly', () => {
    expect(new GeminiCliProvider(OWN).keepLimits({ protectedPaths: false })).toEqual({
      protectedPaths: false,
    });
  });

  it('leave a provider without limits as the job asks', () => {
    const options = { deniedTools: ['glob'], protectedPaths: ['a'], maxCost: 5 };
    expect(new GeminiCliProvider().keepLimits(options)).toEqual(options);
  });
});
