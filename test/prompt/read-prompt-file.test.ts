import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPromptFile } from '../../src/prompt/read-prompt-file.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

describe('a prompt file', () => {
  it('is read to the letter, byte order mark and line ends included', () => {
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
  ])('%s is refused by name', async (name, problem) => {
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

  it('may be a pipe', () => {
    const pipe = join(makeFolder(), 'pipe');
    const writing = `printf 'from a pipe' > ${pipe}`;
    execFileSync('sh', ['-c', `mkfifo ${pipe}; (${writing}) >/dev/null 2>&1 &`]);
    expect(readPromptFile(pipe)).toBe('from a pipe');
  });
});
