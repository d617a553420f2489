import type { RemoteOption } from '../../../api/remote-request.js';
import type { RequestDraft } from '../../broker/approval-broker.js';
import type { ScreenDialog } from '../../tmux/parse-dialog.js';
import type { TmuxPane } from '../../tmux/tmux-pane.js';
import { squeeze } from '../../tmux/tmux-text.js';
import { denyDialog, pressOption } from './pane-dialogs.js';

/** Id of the choice that closes a dialog. */
const ESCAPE = 'escape';
const CAN_CLOSE = /\besc to (?:cancel|close)\b|\(esc\)/i;
/**
 * Options of CLI 0.61 that allow more than the call or the plan of the dialog, that load rules or agents of a folder, or that open an
 * editor at the desk. The rules of the server, which can be revoked, are offered instead.
 */
const WIDE_LABELS = [
  'Allow for this session',
  'Allow for all future sessions',
  'Allow for this file in all future sessions',
  'Allow this command for all future sessions',
  'Allow tool for this session',
  'Allow tool for all future sessions',
  'Allow all server tools for this session',
  'Yes, automatically accept edits',
  'Modify with external editor',
  'Accept and Load',
  'Acknowledge and Enable',
];
/** Words of such options in other versions of the CLI. */
const WIDE_WORDS =
  /^(?:Allow\b(?! once$)|Always\b|Yes, a(?!llow once$)|Modify\b)|\b(?:always|yolo|auto-?accept|external editor)\b/i;
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
  const offered = options.filter(({ label }) => !isWide(label) && !FIELD.test(label));
  const choices = offered.map(({ digit, label }) => ({ id: digit, label }));
  return rows.some((row) => CAN_CLOSE.test(row))
    ? [...choices, { id: ESCAPE, label: 'Close the dialog' }]
    : choices;
}

/** True for an option that is not for a device. A narrow terminal cuts labels: what is left may be the beginning of such an option. */
function isWide(label: string): boolean {
  const cut = label.indexOf('…');
  const beginning = cut < 0 ? undefined : label.slice(0, cut).trim();
  return (
    WIDE_WORDS.test(label) ||
    WIDE_LABELS.some(
      (wide) => wide === label || (beginning !== undefined && wide.startsWith(beginning)),
    )
  );
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
