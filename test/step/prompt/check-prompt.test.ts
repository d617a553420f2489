import { describe, expect, it } from 'vitest';
import { checkPrompt, MAX_PROMPT_BYTES } from '../../../src/step/prompt/check-prompt.js';
import { failureOf } from '../../fixtures/cli/support.js';

describe('a prompt', () => {
  it.each([
    ['a word', 'x'],
    ['line ends and blanks around a word', ' \r\n x \u2028 '],
    ['characters of every length', 'aé日👩‍💻'],
    ['a byte order mark before a word', '\ufeffx'],
  ])('of %s is accepted, in a sandbox and outside', (_what, text) => {
    expect(() => checkPrompt(text, false)).not.toThrow();
    expect(() => checkPrompt(text, true)).not.toThrow();
  });

  it.each([
    ['', 'The prompt is empty'],
    [' \n\t\u00a0', 'The prompt is empty'],
    ['\ufeff', 'The prompt is empty'],
    ['ab\0c\0', 'The prompt has a NUL character at position 2'],
    ['ok \ud83d', 'half of a surrogate pair at position 3'],
    ['\udc69 ok', 'half of a surrogate pair at position 0'],
    ['👩\udc69', 'half of a surrogate pair at position 2'],
  ])('%j is refused with a message and a hint', async (text, message) => {
    expect(await failureOf(() => checkPrompt(text, false))).toMatchObject({
      code: 'INVALID_INPUT',
      retryable: false,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    });
  });

  it.each([
    [false, MAX_PROMPT_BYTES, `${MAX_PROMPT_BYTES + 1} bytes; the CLI accepts ${8 * 1024 * 1024}`],
    [true, 131_071, '131072 bytes; the CLI accepts 131071 in a sandbox'],
  ])('(in a sandbox: %s) has at most %i bytes', (inSandbox, limit, message) => {
    const longest = `${'é'.repeat(Math.floor(limit / 2))}${limit % 2 === 1 ? 'x' : ''}`;
    expect(Buffer.byteLength(longest)).toBe(limit);
    expect(() => checkPrompt(longest, inSandbox)).not.toThrow();
    expect(() => checkPrompt(`${longest}x`, inSandbox)).toThrow(message);
  });
});
