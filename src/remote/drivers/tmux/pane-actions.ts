import type { ApprovalMode } from '../../../api/provider-config.js';
import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { PaneState } from '../../tmux/key-guard.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { pasteIntoInput, submitInput } from './enter-text.js';
import { pressVerified } from './press-verified.js';

const LOOK_MS = 50;
const CHANGE_MS = 2_500;
/** Time within which a CLI that works at all shows the effect of a key. */
const ANSWER_MS = 20_000;
const MOST_KEYS = 6;
const READY_LOOKS = 3;
/** Words of the line that shows the mode, which must be on the screen when the mode is changed. */
const MODE_WORDS: Readonly<Record<ApprovalMode, string>> = {
  default: 'Shift+Tab to accept edits',
  auto_edit: 'auto-accept edits',
  plan: 'plan Shift+Tab to manual',
  yolo: 'YOLO Ctrl+Y',
};

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
export async function untilReady(
  pane: TmuxPane,
  isRunning: (view: PaneView) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (let ready = 0; ready < READY_LOOKS && !signal.aborted; await sleep(LOOK_MS * 2)) {
    const view = await pane.look();
    if (view.isDead) return;
    ready = !isRunning(view) && view.screen.input !== undefined ? ready + 1 : 0;
  }
}

/** True while a turn runs, as far as title and screen tell. */
export function isAtWork({ state, screen }: PaneView): boolean {
  return state === 'working' || state === 'asking' || screen.status !== undefined;
}

/** Changes the approval mode by keys until the screen shows the wanted one. Throws INVALID_INPUT. */
export async function switchMode(pane: TmuxPane, mode: ApprovalMode): Promise<void> {
  for (let keys = 0; keys < MOST_KEYS; keys++) {
    const current = requireMode(await pane.look());
    if (current === mode) return;
    await pressVerified(
      pane,
      (view) => {
        if (requireMode(view) !== current) return undefined;
        // On the way to the mode `plan`, calls of a turn that runs would meet the mode `auto_edit`. The CLI skips `plan` then.
        const isWay = mode === 'plan';
        if (isWay && isTurnOn(view))
          throw refusal('The session is at work', 'Choose the mode plan when its turn is over.');
        const states: readonly PaneState[] = isWay ? ['ready'] : ['ready', 'working'];
        const key = mode === 'yolo' || current === 'yolo' ? 'C-y' : 'BTab';
        const guard = view.state === undefined ? {} : { states };
        return { key, guard: { ...guard, rows: [MODE_WORDS[current]] } };
      },
      'The mode could not be changed',
    );
    // A CLI that stands still would deal with several keys at once, and end in a mode that nothing on the screen has shown.
    if (!(await untilView(pane, ({ screen }) => screen.mode !== current, ANSWER_MS)))
      throw refusal('The CLI does not answer', 'Look at its mode before you change it again.');
  }
  throw refusal(`The mode ${mode} could not be reached`);
}

/** Returns the approval mode that the screen shows. Throws INVALID_INPUT if a key could hit something else. */
function requireMode({ screen, state }: PaneView): ApprovalMode {
  // In a dialog, Shift+Tab accepts the call, and Ctrl+Y runs it.
  if (screen.dialog !== undefined || state === 'asking')
    throw refusal('A dialog is open at the desk');
  if (screen.mode === undefined)
    throw refusal('The screen does not show the mode', 'Change it at the desk.');
  return screen.mode;
}

/** Pastes a command of the CLI into its empty input and sends it. Throws INVALID_INPUT. */
export async function sendCommand(pane: TmuxPane, text: string): Promise<void> {
  if ((await pane.look()).state === 'working') throw refusal('The session is at work');
  await pasteIntoInput(pane, text);
  await submitInput(pane, text);
}

/**
 * Ends the turn with one Escape. A second one on an idle input would open a dialog that rewinds the session, so the key is
 * pressed while a turn runs alone, and the next interrupt waits until this one has worked. Throws INVALID_INPUT.
 */
export async function interruptTurn(pane: TmuxPane, release: () => void): Promise<void> {
  const view = await pane.look();
  if (!canInterrupt(view))
    throw view.screen.dialog === undefined
      ? refusal('The session is not at work')
      : refusal('A dialog is open at the desk', 'Answer the dialog.');
  await pressVerified(
    pane,
    (view) => {
      if (!canInterrupt(view)) return undefined;
      const states = view.state === undefined ? undefined : ([view.state] as const);
      return { key: 'Escape', guard: { states, rows: view.screen.dialog?.rows.slice(-1) ?? [] } };
    },
    'The turn was over before it could be interrupted',
    CHANGE_MS,
  );
  // The CLI waits for its hooks even after Escape.
  release();
  await untilView(pane, (view) => !isAtWork(view) && view.screen.dialog === undefined, CHANGE_MS);
}

/** True while Escape ends a turn. A dialog alone is no proof of one: Escape in the question about trust ends the CLI. */
function canInterrupt(view: PaneView): boolean {
  return isTurnOn(view) && (view.state !== undefined || view.screen.dialog === undefined);
}

/** True while a turn runs. The status line counts only where there is no title: the CLI shows the name of a hook there after its end. */
function isTurnOn({ state, screen }: PaneView): boolean {
  return state === undefined ? screen.status !== undefined : state !== 'ready';
}
