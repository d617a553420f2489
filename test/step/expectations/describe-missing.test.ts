import { describe, expect, it } from 'vitest';
import { describeMissing } from '../../../src/step/expectations/describe-missing.js';

describe('the repair prompt', () => {
  it('lists everything that is missing, with details for the repair', () => {
    expect(
      describeMissing([
        {
          kind: 'files',
          message: 'At least 1 file must match "a"; none does',
          detail: 'So far: b',
        },
        { kind: 'command', message: '`npm test` exited with 1', detail: 'line one\nline two' },
        { kind: 'noChangesOutside', message: '1 file changed', paths: ['x'] },
      ]),
    ).toBe(`Your work was checked. These requirements are not met:

1. At least 1 file must match "a"; none does.
   Details:
   | So far: b

2. \`npm test\` exited with 1.
   The command must exit with 0.
   End of the output:
   | line one
   | line two

3. 1 file changed.
   Restore these files to their original content.

Fix all of them in this working directory.`);
  });

  it('contains no characters that a prompt cannot hold', () => {
    const detail = '\udca9 cut \0\u001b[31mred\u001b[0m\u0007\r\nnext';
    const told = describeMissing([{ kind: 'command', message: 'It failed', detail }]);
    expect(told).toContain('   | \ufffd cut red\n   | next\n');
  });

  it('asks for the whole answer again if the answer is wrong', () => {
    const told = describeMissing([{ kind: 'json', message: 'The answer contains no JSON' }]);
    expect(told).toContain(
      '1. The answer contains no JSON.\n   The answer must end with one ```json',
    );
    expect(told).toMatch(/give the whole corrected answer again\.$/);
  });
});
