import type { ProviderError } from '../../../base/errors/provider-error.js';
import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { KeyGuard } from '../../tmux/key-guard.js';
import { isPaneGone } from '../../tmux/run-tmux.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { squeeze } from '../../tmux/tmux-text.js';
import { pressVerified } from './press-verified.js';

const LOOK_MS = 40;
const ENTER_MS = 1_500;
const MOST_ENTERS = 6;
/** Time within which a CLI that works at all shows a character that was typed. */
const ANSWER_MS = 20_000;
const PROBE = '.';

/** A text in a field of the CLI, and how it is known that it was sent. */
export interface TypedText {
  /** Returns the field. Undefined if it is not on the screen. */
  readonly field: (view: PaneView) => string | undefined;
  /** True if the field holds the text alone, and Enter would send it. */
  readonly holds: (view: PaneView) => boolean;
  /** True if the view shows that the text was taken. */
  readonly isTaken: (view: PaneView) => boolean;
  /** True if something else than the screen has proven it. */
  readonly isProven?: () => boolean;
  /** What the pane must show when a key is pressed. */
  readonly guard: (view: PaneView) => KeyGuard;
  /** What to say if the field does not hold the text. */
  readonly missing: string;
}

/**
 * Presses Enter until a text is sent. The CLI takes an Enter soon after a paste for a new line, or swallows it, so one Enter is not
 * enough. A further one is pressed only when the CLI has dealt with the one before: a CLI that stands still would take all of them
 * for submissions when it goes on. Throws INVALID_INPUT.
 */
export async function pressEnterUntilTaken(pane: TmuxPane, typed: TypedText): Promise<void> {
  for (let enters = 0; enters < MOST_ENTERS; enters++) {
    const rows = await pressEnter(pane, typed);
    const outcome = await watchEnter(pane, typed, rows);
    if (outcome === 'taken') return;
    if (outcome === 'unchanged' && (await isTakenWhileProbed(pane, typed))) return;
  }
  throw refusal(
    'The text is in the input at the desk, but could not be sent',
    'Press Enter there.',
  );
}

/** Presses Enter on a field that holds the text. Returns the rows of the input before that. */
async function pressEnter(pane: TmuxPane, { holds, guard, missing }: TypedText): Promise<number> {
  const plan = (view: PaneView) =>
    holds(view)
      ? { key: 'Enter' as const, guard: guard(view), rows: view.screen.inputRows }
      : undefined;
  return (await pressVerified(pane, plan, missing)).rows;
}

/** Waits for the effect of an Enter: the text is taken, or has one more line. */
async function watchEnter(
  pane: TmuxPane,
  typed: TypedText,
  rows: number,
): Promise<'taken' | 'new-line' | 'unchanged'> {
  let isNewLine = false;
  const isOver = await until(pane, ENTER_MS, (view) => {
    isNewLine = view !== undefined && view.screen.inputRows > rows;
    return isNewLine || isSent(typed, view);
  });
  if (!isOver) return 'unchanged';
  return isNewLine ? 'new-line' : 'taken';
}

/**
 * Types a character and takes it back. Keys are dealt with in order: when the character is seen, the Enter before it is over. Returns
 * true if the text was taken meanwhile. Throws INVALID_INPUT if the CLI does not answer.
 */
async function isTakenWhileProbed(pane: TmuxPane, typed: TypedText): Promise<boolean> {
  const { field, holds, guard } = typed;
  const before = await pane.look();
  if (!holds(before) || !(await pane.press(PROBE, guard(before))))
    return isSent(typed, (await lookOrGone(pane)).view);
  const text = squeeze(field(before) ?? '');
  let probed: PaneView | undefined;
  const findProbe = (view: PaneView | undefined): boolean => {
    const shown = view && squeeze(field(view) ?? '');
    probed = shown === PROBE || shown === text + PROBE ? view : undefined;
    return probed !== undefined || view === undefined;
  };
  if (!(await until(pane, ANSWER_MS, (view) => findProbe(view) || isSent(typed, view))))
    throw silence();
  // An Enter that was taken leaves the character behind it alone in the field, perhaps a moment later.
  if (probed === undefined) await until(pane, ENTER_MS, findProbe);
  if (probed === undefined) return true;
  const isTaken = squeeze(field(probed) ?? '') === PROBE;
  await pane.press('BSpace', guard(probed));
  const isGone = await until(pane, ANSWER_MS, (view) => {
    findProbe(view);
    return probed === undefined;
  });
  // With the character behind it, the text is not the one that was to be sent.
  if (!isGone) throw silence();
  return isTaken || isSent(typed, (await lookOrGone(pane)).view);
}

function silence(): ProviderError {
  return refusal(
    'The CLI does not answer. What was typed is in its input, and may still be sent when the CLI goes on',
    'Look at the session before you send it again.',
  );
}

/** The CLI ends after some commands, and its pane with it: there is no view then. */
function isSent({ isTaken, isProven }: TypedText, view: PaneView | undefined): boolean {
  return isProven?.() === true || view === undefined || isTaken(view);
}

/** Looks at the pane until it is as wanted. A tmux that gives no answer at present is asked again. */
async function until(
  pane: TmuxPane,
  forMs: number,
  isDone: (view: PaneView | undefined) => boolean,
): Promise<boolean> {
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(LOOK_MS)) {
    const look = await lookOrGone(pane).catch(() => undefined);
    if (look !== undefined && isDone(look.view)) return true;
  }
  return false;
}

/** Looks at the pane. There is no view of a pane that is gone. */
async function lookOrGone(pane: TmuxPane): Promise<{ readonly view: PaneView | undefined }> {
  try {
    return { view: await pane.look() };
  } catch (error) {
    if (!isPaneGone(error)) throw error;
    return { view: undefined };
  }
}
