import { describe, expect, it } from 'vitest';
import { capRemark, capText } from '../../../src/engines/mcp/cap-text.js';

describe('capText', () => {
  it('leaves a short text as it is', () => {
    expect(capText('short\n', 10)).toEqual({ text: 'short\n', isCut: false });
  });

  it('cuts a long text without dividing a character', () => {
    expect(capText('ab\u{1f600}c', 3)).toEqual({ text: 'ab', isCut: true });
  });

  it('removes what a terminal would obey', () => {
    expect(capText('\u001b[31mred\u001b]0;title\u0007\u202e', 100).text).toBe('red');
  });
});

describe('capRemark', () => {
  it('marks a cut', () => {
    expect(capRemark('x'.repeat(600))).toBe(`${'x'.repeat(500)}…`);
  });
});
