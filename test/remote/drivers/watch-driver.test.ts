import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readStartTime } from '../../../src/base/process/process-table.js';
import { WatchDriver } from '../../../src/remote/drivers/watch-driver.js';
import { createSession } from '../session/create-session.js';

const ALIVE = { pid: process.pid, startTime: readStartTime(process.pid) };
const POLL_MS = 3_000;

async function create() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { session } = await createSession();
  const cli = vi.fn<ConstructorParameters<typeof WatchDriver>[0]['cli']>(() => undefined);
  const onGone = vi.fn();
  const driver = new WatchDriver({ sink: session, cli, onGone });
  return { session, driver, cli, onGone };
}

describe('WatchDriver', () => {
  it('can be told to deny, and refuses everything else with what to do', async () => {
    const { session, driver } = await create();
    session.drive(driver);
    const { state, capabilities, notes } = session.describe();
    const offered = Object.entries(capabilities).filter(([, isOffered]) => isOffered);
    expect([state, offered]).toEqual(['ready', [['deny', true]]]);
    for (const action of ['prompt', 'interrupt', 'setMode', 'setModel', 'end'] as const)
      await expect(driver[action]()).rejects.toMatchObject({
        ...{ message: 'The session can only be watched', hint: notes[0] },
      });
  });

  it('notices once that the process of the CLI was killed', async () => {
    const { cli, onGone } = await create();
    for (const known of [undefined, { pid: 1, startTime: undefined }, ALIVE]) {
      cli.mockReturnValue(known);
      vi.advanceTimersByTime(POLL_MS);
    }
    expect(onGone).not.toHaveBeenCalled();
    // A later process with the same pid is not the CLI.
    cli.mockReturnValue({ pid: process.pid, startTime: 1 });
    vi.advanceTimersByTime(POLL_MS * 3);
    expect(onGone).toHaveBeenCalledOnce();
  });

  it('looks no more after it was released', async () => {
    const { driver, cli, onGone } = await create();
    cli.mockReturnValue({ pid: process.pid, startTime: 1 });
    await driver.release();
    vi.advanceTimersByTime(POLL_MS);
    expect([cli.mock.calls, onGone.mock.calls]).toEqual([[], []]);
  });
});
