import { describe, expect, it } from 'vitest';
import { findLabProcesses, type Lab, openLab } from './support.js';
import { write } from './tool-calls.js';

const DRIVERS = ['headless', 'acp'] as const;
/** The agent has written a file and says a word; the rest of the answer does not come. */
const SCRIPT = [
  { toolCalls: [write('a.txt', 'done before')] },
  { text: 'Hello', endless: 'stall' as const },
];

/** Runs a step that must fail, and lets its CLI die when the answer has begun. */
async function failDuringAnswer(lab: Lab, die: () => void): Promise<unknown> {
  const events = lab.provider.stream('go');
  return (async () => {
    for await (const event of events) if (event.type === 'text-delta') die();
  })().catch((error: unknown) => error);
}

describe('a CLI that runs out of memory in the middle of a step', () => {
  it.each(DRIVERS)(
    'is named, and its files are kept: killed by the system (%s) (claim: oom-is-named)',
    async (transport) => {
      const lab = await openLab(SCRIPT, { config: { transport, approvalMode: 'auto_edit' } });
      const error = await failDuringAnswer(lab, () => {
        for (const { pid } of findLabProcesses(lab)) process.kill(pid, 'SIGKILL');
      });
      expect(error).toMatchObject({
        code: 'INCOMPLETE',
        retryable: true,
        message: expect.stringContaining('memory'),
        hint: expect.stringContaining('oom-kill'),
        partial: { files: [{ path: 'a.txt', kind: 'created' }] },
      });
    },
  );
});
