import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { ScreenDialog, ScreenOption } from '../../tmux/parse-dialog.js';
import type { PaneKey, PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { isInText, squeeze } from '../../tmux/tmux-text.js';
import { type KeyPlan, pressVerified } from './press-verified.js';

const LOOK_MS = 30;
const APPEAR_MS = 10_000;
const GONE_MS = 10_000;
const MOST_SIGN_ROWS = 6;

/** How a dialog is recognised: by a piece of text that must be in it, such as the command. */
export interface DialogSign {
  readonly text: string;
  /**
   * For a tool call the title must agree, because text of the model can look like a dialog; the titles of other dialogs say
   * nothing.
   */
  readonly titles: 'asking' | 'any';
}

/** Waits for a dialog that shows one of the signs. Returns undefined if none appears in time, or the signal is aborted. */
export async function awaitDialog(
  pane: TmuxPane,
  signs: readonly DialogSign[],
  signal: AbortSignal,
  forMs = APPEAR_MS,
): Promise<ScreenDialog | undefined> {
  const until = performance.now() + forMs;
  while (performance.now() < until && !signal.aborted) {
    const view = await pane.look();
    if (view.isDead) return undefined;
    if (signs.some((sign) => shows(view, sign))) return view.screen.dialog;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** Waits until the dialog with this sign is gone. Returns false if it still stands when the signal is aborted. */
export async function awaitGone(
  pane: TmuxPane,
  sign: DialogSign,
  signal: AbortSignal,
): Promise<boolean> {
  // One look in the middle of a redraw may miss a dialog that still stands.
  for (let missed = 0; !signal.aborted; await sleep(LOOK_MS * 2)) {
    const view = await pane.look();
    if (view.isDead) return true;
    missed = shows(view, sign) ? 0 : missed + 1;
    if (missed > 1) return true;
  }
  return false;
}

/**
 * Presses the digit of an option, if the dialog with the sign is on the screen at that moment, and waits until the dialog is
 * gone. Throws INVALID_INPUT.
 */
export async function pressOption(
  pane: TmuxPane,
  sign: DialogSign,
  choose: (options: readonly ScreenOption[]) => ScreenOption | undefined,
): Promise<void> {
  await pane.exclusive(async () => {
    const { key } = await pressVerified(
      pane,
      (view) => planOption(view, sign, choose),
      'The dialog is no longer there, or has no such option',
    );
    await untilGone(pane, sign);
    // A person at the desk who answers at the same moment leaves the digit in the input box.
    const { screen } = await pane.look();
    if (screen.input === key)
      await pane.press('BSpace', { states: ['ready', 'working'], rows: [`> ${key}`] });
  });
}

/**
 * Refuses a call, or closes a dialog, by Escape, and waits until the dialog is gone. Escape means the same in every dialog, while
 * the digit of the option `No` depends on the others. Throws INVALID_INPUT.
 */
export async function denyDialog(pane: TmuxPane, sign: DialogSign): Promise<void> {
  await pane.exclusive(async () => {
    await pressVerified(
      pane,
      (view) => {
        const { dialog } = view.screen;
        if (dialog === undefined || !shows(view, sign)) return undefined;
        const states = view.state === undefined ? undefined : [view.state];
        return { key: 'Escape', guard: { states, rows: findSignRows(dialog, sign) } };
      },
      'The dialog is no longer there',
    );
    await untilGone(pane, sign);
  });
}

async function untilGone(pane: TmuxPane, sign: DialogSign): Promise<void> {
  if (!(await awaitGone(pane, sign, AbortSignal.timeout(GONE_MS))))
    throw refusal('The dialog did not close', 'Answer it at the desk.');
}

/** Returns the key of an option and the rows that prove that the dialog is the one with the sign. */
export function planOption(
  view: PaneView,
  sign: DialogSign,
  choose: (options: readonly ScreenOption[]) => ScreenOption | undefined,
): KeyPlan | undefined {
  const { dialog } = view.screen;
  if (dialog === undefined || !shows(view, sign)) return undefined;
  const option = choose(dialog.options);
  if (option === undefined) return undefined;
  return {
    key: option.digit as PaneKey,
    guard: {
      states: view.state === undefined ? undefined : [view.state],
      rows: [option.row, ...findSignRows(dialog, sign)],
    },
  };
}

/** Returns the rows of a dialog that show most of its sign. */
function findSignRows({ rows }: ScreenDialog, { text }: DialogSign): readonly string[] {
  const wanted = squeeze(text);
  const parts = rows.filter((row) => {
    const part = squeeze(row);
    return part !== '' && (part.includes(wanted) || wanted.includes(part));
  });
  return parts.sort((a, b) => b.length - a.length).slice(0, MOST_SIGN_ROWS);
}

/** Finds the option that allows a call once. Its digit differs from dialog to dialog. */
export function findAllow(options: readonly ScreenOption[]): ScreenOption | undefined {
  return options.find(({ label }) => label === 'Allow once' || label === 'Yes, allow once');
}

/** True if the view has a dialog with the sign. */
export function shows({ screen, state }: PaneView, { text, titles }: DialogSign): boolean {
  if (
    screen.dialog === undefined ||
    (titles === 'asking' && state !== 'asking' && state !== undefined)
  )
    return false;
  return isInText(screen.dialog.text, text);
}
