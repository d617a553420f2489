import { describe, expect, it } from 'vitest';
import { describeMissing } from '../../../src/step/expectations/describe-missing.js';

describe('what the model is told', () => {
  it('is a list of everything that is missing, with what helps to mend it', () => {
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
    ).toBe(`Your work was checked, and this is not yet as it has to be:

1. At least 1 file must match "a"; none does.
   In detail:
   | So far: b

2. \`npm test\` exited with 1.
   It must exit with 0.
   The end of its output:
   | line one
   | line two

3. 1 file changed.
   Put these files back as they were.

Mend all of it in this working directory.`);
  });

  it('has nothing in it that no prompt can hold', () => {
    const detail = '\udca9 cut \0\u001b[31mred\u001b[0m\u0007\r\nnext';
    const told = describeMissing([{ kind: 'command', message: 'It failed', detail }]);
    expect(told).toContain('   | \ufffd cut red\n   | next\n');
  });

  it('asks for the whole answer again where that is what is wrong', () => {
    const told = describeMissing([{ kind: 'json', message: 'The answer holds no JSON' }]);
    expect(told).toContain('1. The answer holds no JSON.\n   The answer must end with one ```json');
    expect(told).toMatch(/give the whole corrected answer once more\.$/);
  });
});
