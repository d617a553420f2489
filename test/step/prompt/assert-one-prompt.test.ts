import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertOnePrompt } from '../../../src/step/prompt/assert-one-prompt.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const makeFile = (text: string) => join(makeFolder({ 'p.md': text }), 'p.md');

describe('a prompt beside a prompt file', () => {
  it.each([
    ['no file', 'go', undefined],
    ['no prompt', '', 'from file'],
    ['the text of the file', 'same\n', 'same\n'],
    ['a value that is checked elsewhere', 7, 'from file'],
  ])('is accepted: %s', (_what, prompt, text) => {
    const file = text === undefined ? undefined : makeFile(text);
    expect(() => assertOnePrompt(prompt, file)).not.toThrow();
  });

  it.each([
    ['another text', 'from argument', 'from file'],
    ['the beginning of the file', 'from', 'from file'],
    ['more than the file', 'from file, too', 'from file'],
  ])('is refused, because one of them would be lost: %s', (_what, prompt, text) => {
    const file = makeFile(text);
    expect(() => assertOnePrompt(prompt, file)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(file) }),
    );
  });
});
