import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { TmuxPane } from '../../tmux/tmux-pane.js';

const LOOK_MS = 40;
const SHOWN_MS = 8_000;
/** The CLI takes an Enter within 40 ms of a paste, as its event loop sees it, for a new line. */
const SETTLE_MS = 150;
const ACCEPT_MS = 1_500;
const LATE_ACCEPT_MS = 6_000;
const MOST_ENTERS = 6;

/**
 * Pastes a prompt into the input box and submits it. Only the hook that reports the prompt is a proof: an Enter after a
 * paste is often taken for a new line, or swallowed. Throws INVALID_INPUT if the prompt was not delivered.
 *
 * @param isAccepted tells whether the hook has reported the prompt
 */
export async function deliverPrompt(
  pane: TmuxPane,
  text: string,
  isAccepted: () => boolean,
): Promise<void> {
  if (/^\s*\//.test(text))
    throw refusal(
      'A prompt that begins with a slash would be a command of the CLI',
      'Put a word before the slash.',
    );
  const { screen, state } = await pane.look();
  if (screen.dialog !== undefined)
    throw refusal('A dialog is open at the desk', 'Answer the dialog first.');
  if (screen.input === undefined || state === 'working')
    throw refusal('The session does not take input at present');
  if (screen.isShellMode)
    throw refusal('The input at the desk is in shell mode', 'Leave it with Escape at the desk.');
  if (screen.input !== '')
    throw refusal('There is a draft in the input at the desk', 'Send or remove it at the desk.');
  await pane.paste(text);
  if (!(await isShown(pane))) throw refusal('The text did not appear at the desk');
  await sleep(SETTLE_MS);
  for (let enters = 0; enters < MOST_ENTERS; enters++) {
    await pane.press('Enter');
    if (await settles(isAccepted, ACCEPT_MS)) return;
    const { screen: now } = await pane.look();
    // An empty box means that the CLI has taken the text: the hook is only late.
    if (now.input === '' || now.input === undefined) {
      if (await settles(isAccepted, LATE_ACCEPT_MS)) return;
      throw refusal(
        'The CLI has taken the text, but has not reported a prompt',
        'Look at the session: hooks may be turned off.',
      );
    }
  }
  throw refusal(
    'The prompt is in the input at the desk, but could not be sent',
    'Press Enter at the desk.',
  );
}

async function isShown(pane: TmuxPane): Promise<boolean> {
  const until = performance.now() + SHOWN_MS;
  while (performance.now() < until) {
    const { screen } = await pane.look();
    if (screen.input !== undefined && screen.input !== '') return true;
    await sleep(LOOK_MS);
  }
  return false;
}

async function settles(isTrue: () => boolean, forMs: number): Promise<boolean> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    if (isTrue()) return true;
    await sleep(LOOK_MS);
  }
  return isTrue();
}
