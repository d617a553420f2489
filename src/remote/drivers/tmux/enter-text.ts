import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { Screen } from '../../tmux/parse-screen.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { pressEnterUntilTaken } from './press-enter.js';

const LOOK_MS = 40;
const SHOWN_MS = 10_000;
/** Time in which the CLI draws its screen again. */
const DRAWN_MS = 3_000;
/** Time for which another text must stand in the box before it counts as that of a person. */
const STILL_MS = 3_000;
/** The CLI takes an Enter within 40 ms of a paste, as its event loop sees it, for a new line. */
const SETTLE_MS = 150;
/** Rows after which the input box scrolls and shows a part of its text only. */
const SCROLLED_ROWS = 8;

/**
 * Pastes a text into the empty input box and waits until the box shows this text and no other. A person at the desk may type
 * at the same time: a mixture of both is never sent. Throws INVALID_INPUT.
 */
export async function pasteIntoInput(pane: TmuxPane, text: string): Promise<void> {
  pane.assertInFront();
  assertFree(await awaitInput(pane));
  await pane.paste(text);
  let until = performance.now() + SHOWN_MS;
  for (let before = ''; performance.now() < until; await sleep(LOOK_MS)) {
    const { screen } = await pane.look();
    if (showsText(screen, text)) {
      await sleep(SETTLE_MS);
      return;
    }
    const { input = '' } = screen;
    if (input !== before) until = performance.now() + STILL_MS;
    before = input;
  }
  throw refusal(
    'The input at the desk does not show the text as it was sent: a person may be typing there',
    'Look at the input at the desk, and send or remove what is in it.',
  );
}

/**
 * Sends the text that the input box holds. Throws INVALID_INPUT.
 *
 * @param isProven tells whether something else than the screen has proven that the CLI has the text
 */
export async function submitInput(
  pane: TmuxPane,
  text: string,
  isProven: () => boolean = () => false,
): Promise<void> {
  await pressEnterUntilTaken(pane, {
    field: ({ screen }) => screen.input,
    // In a dialog, Enter would choose an option.
    holds: ({ screen, state }) =>
      screen.dialog === undefined && state !== 'asking' && showsText(screen, text),
    isTaken: ({ screen }) => screen.input === '' || screen.input === undefined,
    isProven,
    guard: ({ screen, state }) => ({
      states: state === undefined ? undefined : ['ready', 'working'],
      rows: [screen.input?.split('\n')[0] ?? ''],
    }),
    missing: 'The input at the desk no longer holds the text that was sent',
  });
}

/** Waits for the input box: while the CLI draws its screen again, for example after its start, there is none for a moment. */
async function awaitInput(pane: TmuxPane): Promise<PaneView> {
  const until = performance.now() + DRAWN_MS;
  let view = await pane.look();
  while (isBetween(view) && performance.now() < until) {
    await sleep(LOOK_MS);
    view = await pane.look();
  }
  return view;
}

function isBetween({ screen, problem, isDead }: PaneView): boolean {
  const hasAnswer = problem !== undefined || isDead || screen.dialog !== undefined;
  return !hasAnswer && screen.input === undefined;
}

/** Throws INVALID_INPUT unless the input box is empty and takes text. */
function assertFree({ screen, problem }: PaneView): void {
  if (problem !== undefined) throw refusal(problem, 'Change it at the desk.');
  if (screen.dialog !== undefined)
    throw refusal('A dialog is open at the desk', 'Answer the dialog first.');
  if (screen.input === undefined) throw refusal('The session does not take input at present');
  if (screen.isShellMode)
    throw refusal('The input at the desk is in shell mode', 'Leave it with Escape at the desk.');
  if (screen.isVimNormal)
    throw refusal(
      'The input at the desk is in the NORMAL mode of vim',
      'Press i there, or turn vim mode off: /vim.',
    );
  if (screen.input !== '')
    throw refusal('There is a draft in the input at the desk', 'Send or remove it at the desk.');
}

/** True if the input box shows a text that was pasted. The CLI shows a long one as a placeholder. */
export function showsText({ input, isShellMode }: Screen, text: string): boolean {
  if (input === undefined || input === '' || isShellMode) return false;
  if (/^\[Pasted Text: \d+ \w+\]$/.test(input.trim())) return true;
  const [shown, wanted] = [essenceOf(input), essenceOf(text)];
  if (input.split('\n').length >= SCROLLED_ROWS) return shown !== '' && wanted.includes(shown);
  return shown === wanted;
}

/** Letters and digits of a text: a terminal wraps, joins and drops other characters. */
function essenceOf(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
}
