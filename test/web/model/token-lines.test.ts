import { describe, expect, it } from 'vitest';
import { TokenLines } from '../../../src/web/model/token-lines.js';

describe('TokenLines', () => {
  it('collects tokens by line', () => {
    const lines = new TokenLines();
    lines.addText('a ');
    lines.startScope('comment');
    lines.addText('/* one\n\ntwo */');
    lines.endScope();
    lines.addText(' b\n');
    expect(lines.lines).toEqual([
      [{ text: 'a ' }, { text: '/* one', scope: 'comment' }],
      [],
      [{ text: 'two */', scope: 'comment' }, { text: ' b' }],
      [],
    ]);
  });

  it('gives a token its innermost scope', () => {
    const lines = new TokenLines();
    lines.startScope('string');
    lines.startScope('subst');
    lines.addText('x');
    lines.endScope();
    lines.addText('y');
    expect(lines.lines).toEqual([
      [
        { text: 'x', scope: 'subst' },
        { text: 'y', scope: 'string' },
      ],
    ]);
  });

  it('continues on the same line after an embedded language', () => {
    const [page, script] = [new TokenLines(), new TokenLines()];
    script.addText('let a\nlet b');
    page.addText('<script>');
    page.addLines(script.lines);
    page.addText('</script>');
    expect(page.lines).toEqual([
      [{ text: '<script>' }, { text: 'let a' }],
      [{ text: 'let b' }, { text: '</script>' }],
    ]);
  });
});
