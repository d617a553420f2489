import { describe, expect, it } from 'vitest';
import {
  findScreenVersion,
  ScreenTrust,
  UNKNOWN_SCREEN,
} from '../../../../src/remote/drivers/tmux/screen-trust.js';
import { parseScreen } from '../../../../src/remote/tmux/parse-screen.js';
import type { PaneView } from '../../../../src/remote/tmux/tmux-pane.js';

const BOX = `${'▄'.repeat(20)}\n >   Type your message\n${'▀'.repeat(20)}`;
const viewOf = (text: string, state: PaneView['state']): PaneView => ({
  screen: parseScreen(text),
  state,
  isDead: false,
  problem: undefined,
});

describe('ScreenTrust', () => {
  it('ends the control after 20 seconds of screens that match no rule, until an input box is there', () => {
    const trust = new ScreenTrust('0.61.0');
    expect(trust.take(viewOf('a new layout', 'ready'), 0)).toBe(false);
    expect(trust.take(viewOf('a new layout', 'ready'), 19_999)).toBe(false);
    expect(trust.take(viewOf('a new layout', 'ready'), 20_000)).toBe(true);
    expect([trust.isKnown, trust.notes]).toEqual([false, [UNKNOWN_SCREEN]]);
    expect(trust.capabilities).toMatchObject({ deny: true, allow: false, prompt: false });
    expect(trust.take(viewOf(BOX, 'ready'), 30_000)).toBe(true);
    expect([trust.isKnown, trust.notes]).toEqual([true, []]);
  });

  it('gives the CLI a minute to start', () => {
    const trust = new ScreenTrust('0.61.0');
    trust.take(viewOf('', undefined), 0);
    expect(trust.take(viewOf('', undefined), 59_999)).toBe(false);
    expect(trust.take(viewOf('', undefined), 60_000)).toBe(true);
  });

  it('ends the control at once if an announced dialog is not found', () => {
    const trust = new ScreenTrust('0.61.0');
    expect([trust.missDialog(), trust.missDialog(), trust.isKnown]).toEqual([true, false, false]);
  });

  it('notes a version that was not tested', () => {
    const trust = new ScreenTrust('0.61.0');
    expect([trust.takeVersion('0.61.9'), trust.notes.length]).toEqual([false, 0]);
    expect([trust.takeVersion('0.70.0'), trust.notes.length]).toEqual([true, 1]);
    expect(findScreenVersion(' ▝▜▄     Gemini CLI v0.61.0\n')).toBe('0.61.0');
    expect(findScreenVersion('nothing')).toBeUndefined();
  });
});
