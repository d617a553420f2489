import { describe, expect, it } from 'vitest';
import { isCommand, isResumable } from '../../../src/sessions/files/resumable.js';

describe('a message', () => {
  it.each([
    { id: '1', type: 'user', content: 'hello' },
    { id: '1', type: 'user', content: [{ text: 'hello' }] },
    { id: '1', type: 'user', content: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
    { id: '1', type: 'user', content: [{ functionResponse: { id: 'c' } }] },
    { id: '1', type: 'gemini', content: 'hello' },
    { id: '1', type: 'gemini', content: '', thoughts: [{ subject: 'x' }] },
    { id: '1', type: 'gemini', content: '', toolCalls: [{ id: 'c', name: 'x' }] },
    { id: '1', type: 'gemini', content: [{ functionCall: { id: 'c' } }] },
  ])('makes a session resumable: %j', (message) => {
    expect(isResumable(message)).toBe(true);
  });

  it.each([
    { id: '1', type: 'user', content: '' },
    { id: '1', type: 'user', content: ' \n' },
    { id: '1', type: 'user', content: [{ text: '' }] },
    { id: '1', type: 'user' },
    { id: '1', type: 'user', content: '/help' },
    { id: '1', type: 'user', content: ' ?' },
    { id: '1', type: 'user', content: '<session_context>\nx' },
    { id: '1', type: 'user', content: [{ text: '<hook_context>x</hook_context> prompt' }] },
    { id: '1', type: 'gemini', content: '', thoughts: [], toolCalls: [] },
    { id: '1', type: 'gemini', content: null, thoughts: null },
    { id: '1', type: 'info', content: 'hello' },
    { id: '1', type: 'error', content: 'hello' },
  ])('does not make a session resumable: %j', (message) => {
    expect(isResumable(message)).toBe(false);
  });
});

describe('a command', () => {
  it.each([
    ['/help', true],
    [' ?', true],
    ['go to /help', false],
    ['', false],
  ])('is distinguished from a prompt: %j', (text, expected) => {
    expect(isCommand(text)).toBe(expected);
  });
});
