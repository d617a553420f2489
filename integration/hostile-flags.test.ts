import { describe, expect, it } from 'vitest';
import { COMMAND_LINES, expectPlainRefusal } from './hostile-flags.js';

describe('the command line', () => {
  it('answers wrong, odd and hostile arguments with a plain message and a documented exit code', async () => {
    const some = COMMAND_LINES.filter((_, index) => index % 6 === 0);
    expect(some.length).toBeGreaterThan(20);
    const next = some.values();
    const work = async (): Promise<void> => {
      for (const args of next) await expectPlainRefusal(args);
    };
    await Promise.all([work(), work(), work()]);
  });
});
