import { describe, expect, it } from 'vitest';
import { messageOfCommit } from '../../../src/batch/commit/commit-message.js';

describe('messageOfCommit', () => {
  it('takes id and first line of the answer if the plan gives no message', () => {
    const step = { id: 'a[x\ny]', commit: true as const };
    expect(messageOfCommit(step, { text: '\n Did it.\nMore.' })).toBe('a[x y]: Did it.\n');
    expect(messageOfCommit(step, { text: '' })).toBe('a[x y]\n');
    expect(messageOfCommit(step, { text: 'x'.repeat(200) })).toBe(`a[x y]: ${'x'.repeat(100)}…\n`);
  });

  it('fills the answer into the message of the plan, whatever the answer contains', () => {
    const commit = 'feat: {{steps.self.text}} and \\{{braces}}';
    const text = 'a \0{{id}}\r\n$& line ';
    expect(messageOfCommit({ id: 'a', commit }, { text })).toBe(
      'feat: a {{id}}\n$& line  and {{braces}}\n',
    );
  });

  it('takes the usual message if the message of the plan is empty after all', () => {
    const step = { id: 'a', commit: '{{steps.self.text}}' };
    expect(messageOfCommit(step, { text: ' \n ' })).toBe('a\n');
    expect(messageOfCommit(step, { text: 'y'.repeat(60_000) })).toHaveLength(50_001);
  });
});
