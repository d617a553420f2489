import { describe, expect, it } from 'vitest';
import { describeCli } from '../../../src/agents/gemini/validation-notes.js';

const location = {
  path: '/bin/gemini',
  foundIn: 'PATH',
  command: '/bin/gemini',
  args: [],
  script: undefined,
};
const notesOn = (version: string | undefined) => describeCli({ location, version }).join('\n');

describe('the notes on a CLI', () => {
  it.each(['0.61.0', '0.61.7', '0.61.1-nightly.3'])(
    'are empty for the tested version (%s)',
    (version) => {
      expect(notesOn(version)).toBe('');
    },
  );

  it.each([
    ['0.62.0', 'Version 0.62.0 is newer than the tested 0.61.0.'],
    ['1.0.0', 'Version 1.0.0 is newer than the tested 0.61.0.'],
    ['0.60.9', 'Version 0.60.9 is older than the tested 0.61.0.'],
    ['0.6.1', 'Version 0.6.1 is older than the tested 0.61.0.'],
    ['0.10.0', 'Before 0.11.3 the CLI reports no tool calls'],
    [undefined, 'does not report its version'],
  ])('for %s have the text: %s', (version, note) => {
    expect(notesOn(version)).toContain(note);
  });

  it('do not mention missing tool calls if the CLI reports them', () => {
    expect(notesOn('0.11.3')).not.toContain('tool calls');
  });
});
