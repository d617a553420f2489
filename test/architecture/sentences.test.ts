import { describe, expect, it } from 'vitest';
import { measureDocument, measureSource, sumFindings } from '../../.config/sentences.mjs';

const measure = (text: string) => measureSource('a.ts', text);
const linesOf = (sentences: readonly { readonly line: number }[]) =>
  sentences.map(({ line }) => line);

describe('the comments of a source file', () => {
  it('are counted: a block is one comment, and so are adjacent line comments', () => {
    const { comments } = measure(
      [
        '/** The first. */',
        'const a = 1; // The second.',
        '// The third',
        '// goes on here.',
        '',
        '// The fourth.',
        'const b = f(/* the fifth */ a);',
        '/*',
        ' * The sixth.',
        ' */',
      ].join('\n'),
    );
    expect(comments).toBe(6);
  });

  it('are not mistaken for strings, templates and patterns that look alike', () => {
    const { comments } = measure(
      `const a = '// It'; const b = \`/* It */ \${a /* a comment */} // It\`; const c = /\\/\\/ It/;`,
    );
    expect(comments).toBe(1);
  });

  it('are reported by line when the first word names no subject', () => {
    const { vagueBeginnings } = measure(
      [
        '/** What a file holds. */',
        'const a = 1; // whether it is so',
        '// The text of a page.',
        '// It is short.',
        '/**',
        ' * Only the first.',
        ' */',
        '// Italic text, Onetime codes and Notes begin with a subject.',
      ].join('\n'),
    );
    expect(linesOf(vagueBeginnings)).toEqual([1, 2, 5]);
  });

  it('do not count when they are directives or licence banners', () => {
    const { comments } = measure(
      '/*! It is licensed. */\n// biome-ignore lint/a: It is.\n// @ts-expect-error It fails.\nf();',
    );
    expect(comments).toBe(0);
  });
});

describe('persons without a name', () => {
  it('are found in comments, strings and templates', () => {
    const { vaguePersons } = measure(
      [
        '// Nobody waits.',
        "const a = 'The file is held by somebody';",
        `const b = \`The \${a} that whoever reads\`;`,
        '// The process that he ended.',
        '// The user, the head, she-he.',
      ].join('\n'),
    );
    expect(linesOf(vaguePersons)).toEqual([1, 2, 3, 4]);
  });

  it('are not reported when a string is a single word', () => {
    expect(measure("const account = 'nobody';").vaguePersons).toEqual([]);
  });

  it('are found in a document, but not in its inline code', () => {
    const { vaguePersons } = measureDocument(
      'README.md',
      'Title\n\nAnybody may.\nRuns as `nobody`.',
    );
    expect(vaguePersons).toEqual([{ file: 'README.md', line: 3, text: 'Anybody may.' }]);
  });
});

it('the findings of several files are added up', () => {
  const sum = sumFindings([measure('// It is.'), measure('// The file.\n\n// Anybody.')]);
  expect(sum.comments).toBe(3);
  expect(linesOf(sum.vagueBeginnings)).toEqual([1]);
  expect(linesOf(sum.vaguePersons)).toEqual([3]);
});
