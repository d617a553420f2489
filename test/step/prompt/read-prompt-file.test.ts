import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_PROMPT_BYTES } from '../../../src/step/prompt/check-prompt.js';
import { checkPromptFile, readPromptFile } from '../../../src/step/prompt/read-prompt-file.js';
import { failureOf, makeFolder, makePipe } from '../../fixtures/cli/support.js';

describe('a prompt file', () => {
  it('is read unchanged, with byte order mark and line ends', () => {
    const text = '\ufeffDo this.\r\n\n  @that \u2028 日本語\n\n';
    const folder = makeFolder({ 'a b.md': text });
    expect(readPromptFile(join(folder, 'a b.md'))).toBe(text);
    symlinkSync('a b.md', join(folder, 'link.md'));
    expect(readPromptFile(join(folder, 'link.md'))).toBe(text);
  });

  it.each([
    ['missing.md', 'does not exist'],
    ['dead-link.md', 'does not exist'],
    ['folder', 'is a folder'],
    ['empty.md', 'is empty'],
    ['blank.md', 'is empty'],
    ['latin1.md', 'is not UTF-8'],
    ['surrogate.md', 'is not UTF-8'],
  ])('%s is refused with its path', async (name, problem) => {
    const folder = makeFolder({
      'folder/a': '',
      'empty.md': '',
      'blank.md': '\ufeff \n',
      'latin1.md': Buffer.from('caf\xe9', 'latin1'),
      'surrogate.md': Buffer.from([0x61, 0xed, 0xa0, 0xbd]),
    });
    symlinkSync('gone', join(folder, 'dead-link.md'));
    const path = join(folder, name);
    expect(await failureOf(() => readPromptFile(path, 'System prompt file'))).toMatchObject({
      code: 'INVALID_INPUT',
      message: `System prompt file ${path} ${problem}`,
      hint: expect.stringContaining(path),
    });
    expect(() => readPromptFile(path)).toThrow(`Prompt file ${path} ${problem}`);
  });

  it('of the maximum size is read, and one byte more is refused', () => {
    const folder = makeFolder({
      'full.md': 'x'.repeat(MAX_PROMPT_BYTES),
      'more.md': 'x'.repeat(MAX_PROMPT_BYTES + 1),
    });
    expect(readPromptFile(join(folder, 'full.md'))).toHaveLength(MAX_PROMPT_BYTES);
    expect(() => readPromptFile(join(folder, 'more.md'))).toThrow('is larger than 8388608 bytes');
  });

  it('that is larger than the memory is refused without being read', () => {
    const path = join(makeFolder({ 'vast.md': '' }), 'vast.md');
    truncateSync(path, 2 ** 40);
    expect(() => readPromptFile(path)).toThrow('is larger than 8388608 bytes');
  });
});

describe('a path that is no regular file', () => {
  it.each(['pipe', 'endless'])('is refused at once without being read (%s)', async (name) => {
    const path = name === 'pipe' ? makePipe() : join(makeFolder(), name);
    if (name === 'endless') symlinkSync('/dev/zero', path);
    for (const read of [() => readPromptFile(path), () => checkPromptFile(path)]) {
      expect(await failureOf(read)).toMatchObject({
        code: 'INVALID_INPUT',
        message: `Prompt file ${path} is not a regular file`,
      });
    }
  });
});

describe('a prompt file that the model is to read', () => {
  it('may have any size, and the check may stop inside a character', () => {
    const folder = makeFolder({ 'long.md': `x${'é'.repeat(MAX_PROMPT_BYTES / 2)}` });
    expect(() => checkPromptFile(join(folder, 'long.md'))).not.toThrow();
  });

  it.each([
    ['none.md', 'does not exist'],
    ['blank.md', 'is empty'],
    ['latin1.md', 'is not UTF-8'],
    ['cut.md', 'is not UTF-8'],
  ])('%s is refused too', (name, problem) => {
    const folder = makeFolder({
      'blank.md': ' \n',
      'latin1.md': Buffer.from('caf\xe9!', 'latin1'),
      'cut.md': Buffer.from([0x61, 0xc3]),
    });
    expect(() => checkPromptFile(join(folder, name))).toThrow(problem);
  });
});
