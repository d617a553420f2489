import type { RemoteOption } from '../../../api/remote-request.js';
import type { RequestDraft } from '../../broker/approval-broker.js';
import type { ScreenDialog } from '../../tmux/parse-dialog.js';
import type { TmuxPane } from '../../tmux/tmux-pane.js';
import { squeeze } from '../../tmux/tmux-text.js';
import { denyDialog, findAllow, pressOption } from './pane-dialogs.js';

/** Id of the choice that closes a dialog. */
const ESCAPE = 'escape';
const CAN_CLOSE = /\besc to (?:cancel|close)\b|\(esc\)/i;
/** An option that allows more than the call of the dialog. The rules of the server, which can be revoked, are offered instead. */
const WIDE_ALLOW = /^Allow\b/;
/** An option that opens a field for a text. */
const FIELD = /^(?:Type your|Enter a custom)/;
/**
 * Dialogs that decide what the CLI may run in a folder, and as which user. A device sees them, and the desk answers. A narrow terminal
 * breaks words anywhere, so blanks are left out.
 */
const DESK_ONLY =
  /doyoutrust|trustlevel|toauthenticate|geminiapikey|authorizationcode|trust(?:parent)?fo|signinwith|loginwith|vertexai/i;

/** Describes a dialog by its text, with its options as choices. */
export function draftOfDialog(
  dialog: ScreenDialog,
  title: string,
): Omit<RequestDraft, 'sessionId'> {
  const isDeskOnly = DESK_ONLY.test(squeeze(dialog.text));
  return {
    kind: 'dialog',
    toolName: '',
    title: title || (dialog.rows[0] ?? 'A dialog is open'),
    input: {},
    text: dialog.text,
    questions: [],
    options: isDeskOnly ? [] : choicesOf(dialog),
    isDenyOnly: isDeskOnly,
    reasonWay: 'none',
  };
}

function choicesOf({ options, rows }: ScreenDialog): readonly RemoteOption[] {
  const canAllow = findAllow(options) !== undefined;
  const offered = options.filter((option) => {
    const isWide = canAllow && WIDE_ALLOW.test(option.label) && findAllow([option]) === undefined;
    return !isWide && !FIELD.test(option.label);
  });
  const choices = offered.map(({ digit, label }) => ({ id: digit, label }));
  return rows.some((row) => CAN_CLOSE.test(row))
    ? [...choices, { id: ESCAPE, label: 'Close the dialog' }]
    : choices;
}

/** Presses the key of a choice, if the dialog still is the one that was shown. Throws INVALID_INPUT. */
export async function pressChoice(
  pane: TmuxPane,
  dialog: ScreenDialog,
  choice: string,
): Promise<void> {
  // Two calls for one file differ in their content alone, so the whole text must be that which was shown.
  const sign = { text: dialog.body, titles: 'any' as const };
  if (choice === ESCAPE) return denyDialog(pane, sign);
  const label = dialog.options.find(({ digit }) => digit === choice)?.label;
  await pressOption(pane, sign, (options) =>
    options.find((option) => option.digit === choice && option.label === label),
  );
}
