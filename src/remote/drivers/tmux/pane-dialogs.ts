import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { ScreenDialog, ScreenOption } from '../../tmux/parse-screen.js';
import type { PaneKey, PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { squeeze } from '../../tmux/tmux-text.js';

const LOOK_MS = 30;
const APPEAR_MS = 10_000;
const GONE_MS = 4_000;

/** How a dialog is recognised: by a piece of text that must be in it, such as the command. */
export interface DialogSign {
  readonly text: string;
}

/** Waits for a dialog that shows the sign. Returns undefined if it does not appear in time, or the signal is aborted. */
export async function awaitDialog(
  pane: TmuxPane,
  sign: DialogSign,
  signal: AbortSignal,
  forMs = APPEAR_MS,
): Promise<ScreenDialog | undefined> {
  const until = performance.now() + forMs;
  while (performance.now() < until && !signal.aborted) {
    const view = await pane.look();
    if (view.isDead) return undefined;
    if (shows(view, sign)) return view.screen.dialog;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** Waits until the dialog with this sign is gone. Returns false if it still stands when the signal is aborted. */
export async function awaitGone(
  pane: TmuxPane,
  sign: DialogSign,
  signal: AbortSignal,
  titles: 'asking' | 'any' = 'asking',
): Promise<boolean> {
  while (!signal.aborted) {
    const view = await pane.look();
    if (view.isDead || !shows(view, sign, titles)) return true;
    await sleep(LOOK_MS * 2);
  }
  return false;
}

/**
 * Presses the digit of an option. The dialog is looked at again just before, so that a digit never reaches another dialog. If
 * the desk was faster, the digit lands in the input box and is removed there. Throws INVALID_INPUT.
 */
export async function pressOption(
  pane: TmuxPane,
  sign: DialogSign,
  choose: (options: readonly ScreenOption[]) => ScreenOption | undefined,
  titles: 'asking' | 'any' = 'asking',
): Promise<void> {
  const before = await pane.look();
  const option = shows(before, sign, titles)
    ? choose(before.screen.dialog?.options ?? [])
    : undefined;
  if (option === undefined) throw refusal('The dialog is no longer there, or has no such option');
  await pane.press(option.digit as PaneKey);
  const ending = AbortSignal.timeout(GONE_MS);
  if (!(await awaitGone(pane, sign, ending, titles)))
    throw refusal('The dialog did not close', 'Answer it at the desk.');
  const after = await pane.look();
  if (after.screen.input === option.digit) await pane.press('BSpace');
}

/** Options that allow a call once, and those that refuse it. Their digits differ from dialog to dialog. */
export const findAllow = (options: readonly ScreenOption[]): ScreenOption | undefined =>
  options.find(({ label }) => /^Allow once\b/.test(label)) ??
  options.find(({ label }) => /^Yes, allow once\b/.test(label));

export const findDeny = (options: readonly ScreenOption[]): ScreenOption | undefined =>
  options.find(({ label }) => /^No\b/.test(label));

/**
 * True if the view has a dialog with the sign. For a tool call the title must agree, because text of the model can look
 * like a dialog; the titles of other dialogs say nothing.
 */
function shows(
  { screen, state }: PaneView,
  { text }: DialogSign,
  titles: 'asking' | 'any' = 'asking',
): boolean {
  if (
    screen.dialog === undefined ||
    (titles === 'asking' && state !== 'asking' && state !== undefined)
  )
    return false;
  return squeeze(screen.dialog.text).includes(squeeze(text));
}
