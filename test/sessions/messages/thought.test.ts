import { describe, expect, it } from 'vitest';
import { parseThought, toThinking } from '../../../src/sessions/messages/thought.js';

describe('a thought', () => {
  it.each([
    ['**Plan** I write first.', { subject: 'Plan', description: 'I write first.' }],
    ['**Plan**\nI write\nfirst.\n', { subject: 'Plan', description: 'I write\nfirst.' }],
    ['\n** Plan **', { subject: 'Plan', description: '' }],
    ['**A** and **B**', { subject: 'A', description: 'and **B**' }],
    ['no subject', { description: 'no subject' }],
    ['some **bold** word', { description: 'some **bold** word' }],
    ['****', { description: '****' }],
    ['', { description: '' }],
  ])('is split into subject and description: %j', (text, thought) => {
    expect(parseThought(text)).toEqual(thought);
  });

  it.each([
    [{ subject: 'Plan', description: 'Write.' }, 'Plan: Write.'],
    [{ subject: 'Plan' }, 'Plan'],
    [{ subject: 'Plan', description: '' }, 'Plan'],
    [{ description: 'Write.' }, 'Write.'],
  ])('becomes one line of thinking: %j', (thought, thinking) => {
    expect(toThinking(thought)).toEqual([{ type: 'thinking', thinking }]);
  });

  it.each([{}, { subject: '', description: ' ' }])('may be empty: %j', (thought) => {
    expect(toThinking(thought)).toEqual([]);
  });
});
