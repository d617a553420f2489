import { describe, it } from 'vitest';
import { endBatch, interruptOnce, interruptTwice, resizeTerminal } from './terminal-batch.js';

describe('a batch in a terminal', () => {
  it('finishes its running steps after one Ctrl-C, although git is slow', async () => {
    await interruptOnce();
  });

  it('cancels its running steps after a second Ctrl-C, and can be resumed', async () => {
    await interruptTwice();
  });

  it.each(['closed terminal', 'SIGTERM'] as const)('ends in order: %s', async (ending) => {
    await endBatch(ending);
  });

  it('draws no broken lines while the terminal changes its size', async () => {
    await resizeTerminal();
  });
});
