import { setTimeout as sleep } from 'node:timers/promises';
import { AgentPool } from 'gemini-cli-provider';
import { describe, expect, it } from 'vitest';
import { findLabProcesses, type Lab, openLab, read } from './support.js';

const STALLING = [{ text: 'Starting... ', endless: 'stall' }] as const;

/** Stops the CLI of a lab by SIGSTOP. A frozen process does not react to SIGTERM either. */
async function freeze(lab: Lab): Promise<void> {
  expect(findCli(lab)).not.toEqual([]);
  for (const { pid } of findCli(lab)) {
    process.kill(pid, 'SIGSTOP');
    // The process stops when the system next lets it run.
    while (!/\) T /.test(read(`/proc/${pid}/stat`))) await sleep(10);
  }
}

const findCli = (lab: Lab) =>
  findLabProcesses(lab).filter(({ command }) => command.includes('gemini'));

async function freezeAtFirstText(lab: Lab, options: object) {
  const stream = lab.provider.stream('go', {}, options);
  try {
    for await (const event of stream) if (event.type === 'text-delta') await freeze(lab);
  } catch (error) {
    return error;
  }
  throw new Error('The step should have failed');
}

describe.concurrent('a frozen CLI (claim: frozen-agents-end)', () => {
  it('is ended by startTimeout if it was frozen at its start', async ({ onTestFinished }) => {
    const lab = await openLab(STALLING, { cleanup: onTestFinished });
    const failing = lab.fail('go', { startTimeout: 3 });
    while (findCli(lab).length === 0) await sleep(10);
    await freeze(lab);
    expect(await failing).toMatchObject({ code: 'TIMEOUT', phase: 'start' });
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('that is warm is ended by timeout and replaced for the next step', async ({
    onTestFinished,
  }) => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const config = { transport: 'acp', pool } as const;
    const script = [{ prompt: 'go', turns: STALLING }, { turns: [{ text: 'Answered.' }] }];
    const lab = await openLab(script, { config, cleanup: onTestFinished });
    expect((await lab.run('first')).text).toBe('Answered.');
    expect(await freezeAtFirstText(lab, { idleTimeout: 4 })).toMatchObject({
      code: 'TIMEOUT',
      phase: 'idle',
      partial: { text: 'Starting... ' },
    });
    expect(findLabProcesses(lab)).toEqual([]);
    expect((await lab.run('second')).text).toBe('Answered.');
    // Frozen without work: the next step gets another process at once.
    await freeze(lab);
    expect((await lab.run('third')).text).toBe('Answered.');
    expect(pool.stats()).toMatchObject({ started: 3, running: 0 });
  });
});
