import { describe, expect, it } from 'vitest';
import { TurnWatch } from '../../../../src/remote/drivers/tmux/turn-watch.js';
import { parseScreen } from '../../../../src/remote/tmux/parse-screen.js';
import type { PaneView } from '../../../../src/remote/tmux/tmux-pane.js';

const viewOf = (state: PaneView['state'], text: string): PaneView => ({
  ...{ screen: parseScreen(text), state, isDead: false, problem: undefined },
});
const BOX = `${'▄'.repeat(20)}\n >   Type your message or @path/to/file\n${'▀'.repeat(20)}\n`;
const IDLE = viewOf('ready', BOX);
const WORKING = viewOf('working', BOX);

function create() {
  let now = 0;
  const watch = new TurnWatch(() => now);
  return { watch, wait: (ms: number) => (now += ms) };
}

describe('TurnWatch', () => {
  it('finds no turn in an idle session, and one while the screen shows work', () => {
    const { watch } = create();
    expect(watch.isRunning(IDLE)).toBe(false);
    expect(watch.isRunning(WORKING)).toBe(true);
    expect(watch.isRunning(IDLE)).toBe(false);
  });

  it('knows a turn whose work the screen does not show yet', () => {
    const { watch, wait } = create();
    watch.begin();
    wait(25_000);
    expect(watch.isRunning(IDLE)).toBe(true);
    expect(watch.isRunning(WORKING)).toBe(true);
    expect(watch.isRunning(IDLE)).toBe(false);
    expect(watch.isRunning(IDLE)).toBe(false);
  });

  it('ends a turn that a hook has told to be over, however fast it was', () => {
    const { watch } = create();
    watch.begin();
    expect(watch.isRunning(IDLE)).toBe(true);
    watch.end();
    expect(watch.isRunning(WORKING)).toBe(true);
    expect(watch.isRunning(IDLE)).toBe(false);
  });

  it('does not wait for ever for a turn that has failed before the screen showed it', () => {
    const { watch, wait } = create();
    watch.begin();
    wait(30_001);
    expect(watch.isRunning(IDLE)).toBe(false);
  });

  it('knows that a turn goes on while the screen has no input', () => {
    const { watch } = create();
    watch.begin();
    expect(watch.isRunning(WORKING)).toBe(true);
    expect(watch.isRunning(viewOf('ready', ''))).toBe(true);
    expect(watch.isRunning(IDLE)).toBe(false);
  });
});
