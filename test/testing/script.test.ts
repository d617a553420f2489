import { describe, expect, it } from 'vitest';
import { toRules } from '../../src/testing/script.js';

describe('a script', () => {
  it('of rules is returned unchanged', () => {
    const rules = [{ prompt: 'a', turns: [{ text: '1' }] }, { turns: [] }];
    expect(toRules(rules)).toEqual(rules);
    expect(toRules([])).toEqual([]);
  });

  it('of turns becomes one rule for all prompts', () => {
    const answers = [{ text: '1' }, { attempts: [{ text: '2' }] }, {}];
    expect(toRules(answers)).toEqual([{ turns: answers }]);
  });
});
