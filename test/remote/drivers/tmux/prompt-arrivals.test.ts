import { describe, expect, it } from 'vitest';
import { PromptArrivals } from '../../../../src/remote/drivers/tmux/prompt-arrivals.js';

const promptOf = (text: string) => ({ text, accepted: () => {}, answered: () => {} });

describe('PromptArrivals', () => {
  it('knows a prompt by its words, without blanks at its ends and invisible characters', () => {
    const arrivals = new PromptArrivals();
    arrivals.report('fix  it\nnow');
    expect(arrivals.has(' fix it now\u200b')).toBe(true);
    expect(arrivals.has('fix it')).toBe(false);
    expect(arrivals.latest).toBe('fix  it\nnow');
  });

  it('knows a prompt to which the CLI has appended files', () => {
    const arrivals = new PromptArrivals();
    arrivals.report('read @a.txt\n--- content ---');
    expect(arrivals.has('read @a.txt')).toBe(true);
    expect(arrivals.has('read')).toBe(false);
  });

  it('forgets what was reported before a prompt is sent', () => {
    const arrivals = new PromptArrivals();
    arrivals.report('go');
    arrivals.begin();
    expect([arrivals.has('go'), arrivals.latest]).toEqual([false, undefined]);
  });

  it('finds a prompt that arrives late, once, and does not take another one for it', () => {
    const arrivals = new PromptArrivals();
    const prompt = promptOf('go');
    arrivals.expectLate(prompt);
    expect(arrivals.report('go on with the tests')).toBeUndefined();
    expect(arrivals.report('go')).toBe(prompt);
    expect(arrivals.report('go')).toBeUndefined();
  });

  it('gives up a late prompt when the next one is sent', () => {
    const arrivals = new PromptArrivals();
    arrivals.expectLate(promptOf('go'));
    arrivals.begin();
    expect(arrivals.report('go')).toBeUndefined();
  });
});
