import { AgentPool } from 'gemini-cli-provider';
import { describe, expect, it } from 'vitest';
import { findLabProcesses, type Lab, openLab } from './support.js';

const STALLING = [{ text: 'Starting... ', endless: 'stall' }] as const;

/** Stops the CLI of a lab by SIGSTOP. A frozen process does not react to SIGTERM either. */
function freeze(lab: Lab): void {
  const cli = findLabProcesses(lab).filter(({ command }) => command.includes('gemini.js'));
  expect(cli).not.toEqual([]);
  for (const { pid } of cli) process.kill(pid, 'SIGSTOP');
}

async function freezeAtFirstText(lab: Lab, options: object) {
  const stream = lab.provider.stream('go', {}, options);
  try {
    for await (const event of stream) if (event.type === 'text-delta') freeze(lab);
  } catch (error) {
    return error;
  }
  throw new Error('The step should have failed');
}

describe.concurrent('a frozen CLI (claim: frozen-agents-end)', () => {
  it('is ended by idleTimeout, with everything that it had said', async ({ onTestFinished }) => {
    const lab = await openLab(STALLING, { cleanup: onTestFinished });
    expect(await freezeAtFirstText(lab, { idleTimeout: 4 })).toMatchObject({
      code: 'TIMEOUT',
      phase: 'idle',
      partial: { text: 'Starting... ' },
    });
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('that is warm is ended by timeout and replaced for the next step', async ({
    onTestFinished,
  }) => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const config = { transport: 'acp', pool } as const;
    const script = [...STALLING, { text: 'Second.' }, { text: 'Third.' }];
    const lab = await openLab(script, { config, cleanup: onTestFinished });
    expect(await freezeAtFirstText(lab, { idleTimeout: 3 })).toMatchObject({ code: 'TIMEOUT' });
    expect(findLabProcesses(lab)).toEqual([]);
    expect((await lab.run()).text).toBe('Second.');
    // Frozen without work: the next step gets another process at once.
    freeze(lab);
    expect((await lab.run()).text).toBe('Third.');
    expect(pool.stats()).toMatchObject({ started: 3, running: 0 });
  });
});
