import { messageOf } from '../../../base/errors/message-of.js';
import type { ScreenDialog } from '../../tmux/parse-dialog.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { squeeze } from '../../tmux/tmux-text.js';
import type { SessionSink } from '../session-driver.js';
import { draftOfDialog, pressChoice } from './dialog-choices.js';

/** Looks at which a dialog must be the same before it is shown: most dialogs are announced by a hook in that time. */
const LOOKS = 8;
interface DialogTools {
  readonly sink: SessionSink;
  readonly pane: TmuxPane;
}

/** A dialog that no hook has announced, such as the one about quota. */
export interface UnknownDialog {
  /** What stays the same while the dialog stands: its text and its options, however they are wrapped. */
  readonly identity: string;
  readonly looks: number;
  /** Withdraws the request, if the dialog is shown. */
  close(reason?: 'desk'): void;
}

/** Follows the dialog on the screen. A dialog that stays is shown to the person, who may choose one of its options. */
export function findUnknownDialog(
  before: UnknownDialog | undefined,
  { screen }: PaneView,
  tools: DialogTools,
): UnknownDialog | undefined {
  const { dialog } = screen;
  const identity = dialog === undefined ? undefined : identityOf(dialog);
  if (dialog === undefined || identity === undefined || identity !== before?.identity) {
    before?.close('desk');
    return identity === undefined ? undefined : { identity, looks: 1, close: () => {} };
  }
  if (before.looks !== LOOKS) return { ...before, looks: before.looks + 1 };
  const closing = new AbortController();
  void askAbout(dialog, tools, closing.signal).catch((error: unknown) => {
    const message = `The dialog could not be answered: ${messageOf(error)}`;
    tools.sink.add({ type: 'notice', level: 'warning', message }, 'screen');
  });
  return { identity, looks: LOOKS + 1, close: (reason) => closing.abort(reason) };
}

async function askAbout(
  dialog: ScreenDialog,
  { sink, pane }: DialogTools,
  signal: AbortSignal,
): Promise<void> {
  const answer = await sink.ask(draftOfDialog(dialog, ''), signal);
  if (answer.outcome === 'decided' && answer.decision.type === 'choose')
    await pressChoice(pane, dialog, answer.decision.option);
}

function identityOf(dialog: ScreenDialog): string {
  return JSON.stringify([squeeze(dialog.body), dialog.options.map(({ label }) => label)]);
}
