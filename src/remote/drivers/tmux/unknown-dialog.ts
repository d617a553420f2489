import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import type { SessionSink } from '../session-driver.js';
import { pressOption } from './pane-dialogs.js';

/** Looks at which a dialog must be the same before it is shown: most dialogs are announced by a hook in that time. */
const LOOKS = 8;

interface DialogTools {
  readonly sink: SessionSink;
  readonly pane: TmuxPane;
}

/** A dialog that no hook has announced, such as the one about quota. */
export interface UnknownDialog {
  readonly text: string;
  readonly looks: number;
  /** Withdraws the request, if the dialog is shown. */
  close(): void;
}

/** Follows the dialog on the screen. A dialog that stays is shown to the person, who may choose one of its options. */
export function findUnknownDialog(
  before: UnknownDialog | undefined,
  { screen }: PaneView,
  tools: DialogTools,
): UnknownDialog | undefined {
  const { dialog } = screen;
  if (dialog === undefined || dialog.text !== before?.text) {
    before?.close();
    return dialog === undefined ? undefined : { text: dialog.text, looks: 1, close: () => {} };
  }
  if (before.looks !== LOOKS) return { ...before, looks: before.looks + 1 };
  const closing = new AbortController();
  void tools.sink
    .ask(
      {
        kind: 'dialog',
        toolName: '',
        title:
          dialog.text.split('\n').find((line) => !/^(●|\d\.)/.test(line)) ?? 'A dialog is open',
        input: {},
        text: dialog.text,
        questions: [],
        options: dialog.options.map(({ digit, label }) => ({ id: digit, label })),
        isDenyOnly: false,
      },
      closing.signal,
    )
    .then(async (answer) => {
      if (answer.outcome !== 'decided' || answer.decision.type !== 'choose') return;
      const { option } = answer.decision;
      await pressOption(
        tools.pane,
        { text: dialog.text },
        (options) => options.find(({ digit }) => digit === option),
        'any',
      );
    })
    .catch((error: unknown) => {
      tools.sink.add({ type: 'notice', level: 'warning', message: String(error) }, 'screen');
    });
  return { text: dialog.text, looks: LOOKS + 1, close: () => closing.abort() };
}
