import { describe, expect, it } from 'vitest';
import { createEventLoopYield } from '../../../src/base/process/yield-to-event-loop.js';
import { protectAtWords, protectStart } from '../../../src/step/prompt/protect-prompt.js';

const matching = (...paths: string[]) => ({
  matches: async (path: string) => paths.includes(path),
});
const everything = { matches: async () => true };
const nothing = { matches: async () => false };

describe('the start of a prompt', () => {
  it.each([
    ['/help', false],
    ['/', false],
    ['/etc/passwd is a file', false],
    ['-x', true],
    ['--help', true],
    ['/help', true],
  ])('%j (in a sandbox: %s) gets a newline in front', (text, inSandbox) => {
    const { text: changed, warnings } = protectStart(text, inSandbox);
    expect(changed).toBe(`\n${text}`);
    expect(warnings).toEqual([
      { code: 'PROMPT_CHANGED', message: expect.stringContaining(`starts with "${text[0]}"`) },
    ]);
  });

  it.each([
    ['// comment', false],
    ['/* comment */', false],
    [' /help', false],
    ['\n/help', false],
    ['-x', false],
    ['help', true],
    ['// comment', true],
    ['', false],
  ])('%j (in a sandbox: %s) stays as it is', (text, inSandbox) => {
    expect(protectStart(text, inSandbox)).toEqual({ text, warnings: [] });
  });
});

describe('an @word', () => {
  it('gets a backslash only if the CLI would replace it', async () => {
    const text = '@a and @b, x@a. \\@a "@a" @ab';
    const { text: changed, warnings } = await protectAtWords(text, matching('a'));
    expect(changed).toBe('\\@a and @b, x\\@a. \\@a "@a" @ab');
    expect(warnings).toMatchObject([{ code: 'PROMPT_CHANGED', count: 2 }]);
  });

  it('inside a protected word is checked too, because the CLI reads it after the backslash', async () => {
    const { text } = await protectAtWords('@a@b @c@b', matching('a@b', 'b'));
    expect(text).toBe('\\@a\\@b @c@b');
  });

  it('is named once in the warning, also if it was protected several times', async () => {
    const { warnings } = await protectAtWords('@a @b @a @my\\ file', everything);
    expect(warnings).toEqual([
      {
        code: 'PROMPT_CHANGED',
        message:
          'A backslash was put before @a, @b, @my file: the CLI would have replaced them by files. Set expandAt: true to allow that.',
        count: 4,
      },
    ]);
  });

  it('is named in the warning up to the fifth; all are counted', async () => {
    const { warnings } = await protectAtWords('@1 @2 @3 @4 @5 @6 @7', everything);
    expect(warnings[0]?.message).toContain('before @1, @2, @3, @4, @5 and others:');
    expect(warnings[0]?.count).toBe(7);
  });

  it('stays unchanged if the CLI would not replace it', async () => {
    const text = 'joe@example.com, @types/node and @Injectable()';
    expect(await protectAtWords(text, nothing)).toEqual({ text, warnings: [] });
  });
});

/** Generates the same few hundred texts in every run of the test. */
function* randomTexts(count: number): Generator<string> {
  const pieces = ['@', '@', '\\', '"', '/', 'a', 'note.md', ' ', '\n', '.', ',', '(', '-', '日'];
  let seed = 20_261_116;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let index = 0; index < count; index++) {
    yield Array.from({ length: next(24) }, () => pieces[next(pieces.length)]).join('');
  }
}

/** Removes the added characters: a newline at the start, a backslash before an @. */
function undo(changed: string, original: string): string {
  let at = 0;
  let kept = '';
  for (const [index, char] of [...changed].entries()) {
    const expected = [...original][at];
    const isInserted =
      char !== expected && ((char === '\\' && expected === '@') || (char === '\n' && index === 0));
    if (isInserted) continue;
    kept += char;
    at++;
  }
  return kept;
}

describe('any protected prompt', () => {
  const short = { matches: async (path: string) => path.length % 2 === 1 };

  it('differs from the original only by backslashes before @ and one newline', async () => {
    let changes = 0;
    for (const text of randomTexts(400)) {
      for (const targets of [everything, nothing, short]) {
        const start = protectStart(text, true);
        const { text: changed, warnings } = await protectAtWords(start.text, targets);
        expect(undo(changed, text)).toBe(text);
        const inserted = [...start.warnings, ...warnings].reduce(
          (sum, { count }) => sum + (count ?? 1),
          0,
        );
        expect(changed.length).toBe(text.length + inserted);
        changes += inserted;
      }
    }
    expect(changes).toBeGreaterThan(400);
  });

  it('does not change if it is protected a second time', async () => {
    for (const text of randomTexts(400)) {
      for (const targets of [everything, short]) {
        const once = await protectAtWords(protectStart(text, true).text, targets);
        const twice = await protectAtWords(protectStart(once.text, true).text, targets);
        expect(twice).toEqual({ text: once.text, warnings: [] });
      }
    }
  });
});

describe('the warning about a repeated word', () => {
  it('names the word once', async () => {
    const { warnings } = await protectAtWords('@a '.repeat(6), everything);
    expect(warnings[0]?.message).toContain('before @a:');
    expect(warnings[0]?.count).toBe(6);
  });
});

describe('a prompt with very many @words', () => {
  it('stops being protected when the caller cancels', async () => {
    const cancel = new AbortController();
    let asked = 0;
    const targets = {
      matches: async () => {
        if (asked++ === 0) setImmediate(() => cancel.abort('enough'));
        return false;
      },
    };
    const text = '@word '.repeat(400_000);
    const protecting = protectAtWords(
      text,
      targets,
      createEventLoopYield({ signal: cancel.signal }),
    );
    await expect(protecting).rejects.toBe('enough');
    expect(asked).toBeLessThan(200_000);
  });
});
