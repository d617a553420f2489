import { messageOf } from '../../../base/errors/message-of.js';
import type { ScreenDialog } from '../../tmux/parse-screen.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { squeeze } from '../../tmux/tmux-text.js';
import type { SessionSink } from '../session-driver.js';
import { pressOption } from './pane-dialogs.js';

/** Looks at which a dialog must be the same before it is shown: most dialogs are announced by a hook in that time. */
const LOOKS = 8;
const OPTION_ROW = /^(●|\d+\.)/;
/** Dialogs that decide what the CLI may run in a folder, and as which user. A device sees them, and the desk answers. */
const DESK_ONLY =
  /\b(?:do you trust|trust level|like to authenticate|gemini api key|authorization code)\b/i;

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
  const title = titleOf(dialog);
  const isDeskOnly = DESK_ONLY.test(bodyOf(dialog));
  const answer = await sink.ask(
    {
      kind: 'dialog',
      toolName: '',
      title,
      input: {},
      text: dialog.text,
      questions: [],
      options: isDeskOnly ? [] : dialog.options.map(({ digit, label }) => ({ id: digit, label })),
      isDenyOnly: isDeskOnly,
      reasonWay: 'none',
    },
    signal,
  );
  if (answer.outcome !== 'decided' || answer.decision.type !== 'choose') return;
  const chosen = answer.decision.option;
  const label = dialog.options.find(({ digit }) => digit === chosen)?.label;
  // Two calls for one file differ in their content alone, so the whole text must be that which was shown.
  await pressOption(pane, { text: bodyOf(dialog), titles: 'any' }, (options) => {
    return options.find((option) => option.digit === chosen && option.label === label);
  });
}

function titleOf({ rows }: ScreenDialog): string {
  return rows.find((row) => !OPTION_ROW.test(row)) ?? 'A dialog is open';
}

/** Returns the text above the options. Below them, hints change with the marked option. */
function bodyOf({ rows }: ScreenDialog): string {
  const end = rows.findIndex((row) => OPTION_ROW.test(row));
  return rows.slice(0, end < 0 ? rows.length : end).join('\n');
}

function identityOf(dialog: ScreenDialog): string {
  return JSON.stringify([squeeze(bodyOf(dialog)), dialog.options.map(({ label }) => label)]);
}
