import { describe, it } from 'vitest';
import { COMMAND_LINES, expectPlainRefusal } from './hostile-flags.js';

describe('the command line', () => {
  it('answers every wrong, odd and hostile argument with a plain message and a documented exit code', async () => {
    for (const args of COMMAND_LINES) await expectPlainRefusal(args);
  });
});
