import type { ApprovalMode } from '../../../api/provider-config.js';
import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';

const LOOK_MS = 50;
const SHOWN_MS = 8_000;
const SETTLE_MS = 150;
const ENTER_MS = 1_500;
const MOST_ENTERS = 6;
const READY_LOOKS = 3;

/** Waits until a pane looks as wanted. Returns false if it does not in time. */
export async function untilView(
  pane: TmuxPane,
  isWanted: (view: PaneView) => boolean,
  forMs: number,
): Promise<boolean> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    if (isWanted(await pane.look())) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

/** Waits until the CLI takes input again, or is gone. */
export async function untilReady(pane: TmuxPane, signal: AbortSignal): Promise<void> {
  for (let ready = 0; ready < READY_LOOKS && !signal.aborted; await sleep(LOOK_MS * 2)) {
    const { state, screen, isDead } = await pane.look();
    if (isDead) return;
    const isAtWork = state === 'working' || state === 'asking' || screen.status !== undefined;
    ready = !isAtWork && screen.input !== undefined ? ready + 1 : 0;
  }
}

/** Returns the approval mode that the screen shows. Throws INVALID_INPUT if a key could hit something else. */
export async function requireMode(pane: TmuxPane): Promise<ApprovalMode> {
  const { screen, state } = await pane.look();
  // In a dialog, Shift+Tab accepts the call, and Ctrl+Y runs it.
  if (screen.dialog !== undefined || state === 'asking')
    throw refusal('A dialog is open at the desk');
  if (screen.mode === undefined)
    throw refusal('The screen does not show the mode', 'Change it at the desk.');
  return screen.mode;
}

/** Pastes a command of the CLI into its empty input and sends it. Throws INVALID_INPUT. */
export async function sendCommand(pane: TmuxPane, text: string): Promise<void> {
  const { screen, state } = await pane.look();
  if (screen.dialog !== undefined || screen.input !== '' || state === 'working')
    throw refusal('The session does not take input at present');
  await pane.paste(text);
  await untilView(pane, ({ screen: now }) => now.input !== '', SHOWN_MS);
  for (let enters = 0; enters < MOST_ENTERS; enters++) {
    // The CLI takes an Enter soon after a paste for a new line.
    await sleep(SETTLE_MS);
    await pane.press('Enter');
    if (
      await untilView(
        pane,
        ({ screen: now }) => now.input === '' || now.input === undefined,
        ENTER_MS,
      )
    )
      return;
  }
  throw refusal(
    'The command is in the input at the desk, but could not be sent',
    'Press Enter at the desk.',
  );
}
