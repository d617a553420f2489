import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { TmuxPane } from '../../tmux/tmux-pane.js';
import { isCliCommand } from '../../tmux/tmux-text.js';
import { pasteIntoInput, submitInput } from './enter-text.js';

const LOOK_MS = 40;
const LATE_ACCEPT_MS = 10_000;

/**
 * Pastes a prompt into the input box and submits it. Only the hook that reports the prompt is a proof. Throws INVALID_INPUT if the
 * prompt was not delivered.
 *
 * @param isAccepted tells whether the hook has reported the prompt
 * @param entered called when the text is in the input: from then on, the CLI may take it although it was not delivered in time
 */
export async function deliverPrompt(
  pane: TmuxPane,
  text: string,
  isAccepted: () => boolean,
  entered: () => void = () => {},
): Promise<void> {
  if (isCliCommand(text))
    throw refusal(
      'A prompt that begins with a slash would be a command of the CLI',
      'Put a word before the slash.',
    );
  await pasteIntoInput(pane, text);
  entered();
  await submitInput(pane, text, isAccepted);
  if (!isAccepted()) await awaitLateProof(pane, isAccepted);
}

/**
 * Waits for the hook after the CLI has taken the text. If a turn of the desk runs, the CLI queues the prompt, and the hook comes
 * after that turn.
 */
async function awaitLateProof(pane: TmuxPane, isAccepted: () => boolean): Promise<void> {
  for (let idleSince = performance.now(); performance.now() - idleSince < LATE_ACCEPT_MS; ) {
    if (isAccepted()) return;
    const { state, screen } = await pane.look();
    if (state === 'working' || state === 'asking' || screen.status !== undefined)
      idleSince = performance.now();
    await sleep(LOOK_MS * 2);
  }
  throw refusal(
    'The CLI has taken the text, but has not reported a prompt',
    'Look at the session: hooks may be turned off.',
  );
}
