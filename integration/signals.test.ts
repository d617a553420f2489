import { describe, it } from 'vitest';
import {
  closeTerminal,
  interruptOnce,
  interruptTwice,
  resizeAndTerminate,
} from './terminal-batch.js';

describe('a batch in a terminal', () => {
  it('finishes its running steps after one Ctrl-C, although git is slow', async () => {
    await interruptOnce();
  });

  it('cancels its running steps after a second Ctrl-C, and can be resumed', async () => {
    await interruptTwice();
  });

  it('ends in order if its terminal is closed', async () => {
    await closeTerminal();
  });

  it('draws no broken lines while the terminal changes its size, and ends in order at SIGTERM', async () => {
    await resizeAndTerminate();
  });
});
