import { describe, expect, it } from 'vitest';
import { deriveMeaning } from '../../../src/agents/events/derive-meaning.js';

const EDIT = { toolName: 'edit', kind: 'edit', category: 'file-write', output: undefined } as const;

describe('the facts derived from a tool call', () => {
  it('are the file and the diffs of an edit', () => {
    const content = [
      { type: 'diff', path: 'a', oldText: null, newText: 'x\n' },
      { type: 'diff', path: 'b', oldText: 'x\n', newText: 'y\n' },
    ] as const;
    const meaning = deriveMeaning({ ...EDIT, path: 'a', content });
    expect(meaning?.mutation).toEqual({ tool: 'edit', path: 'a' });
    expect(meaning?.diff).toMatch(/^--- \/dev\/null[\s\S]*\+x[\s\S]*--- a\/b[\s\S]*-x\n\+y\n$/);
  });

  it('have no diff of very long contents', () => {
    const content = [
      { type: 'diff', path: 'a', oldText: null, newText: 'x'.repeat(300_000) },
    ] as const;
    expect(deriveMeaning({ ...EDIT, path: undefined, content })).toBeUndefined();
  });
});
