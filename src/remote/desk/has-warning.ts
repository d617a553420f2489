import type { NotificationHook } from '../../api/hook-payload.js';
import type { ScreenDialog } from '../tmux/parse-dialog.js';
import { squeeze } from '../tmux/tmux-text.js';

/** Row above the contents of a dialog: `? Shell  npm test`. */
const HEADER = /^\? /;
/** Row that stands for lines that have no room on the screen. */
const HIDDEN_LINES = /^\.\.\. (?:first |last )?\d+ (?:lines? )?hidden\b/;
const QUESTION = /^Allow execution\b/;
/** The question about a command. That a command redirects its output is seen from the command itself. */
const QUESTION_ALONE =
  /^Allowexecutionof\[[^\]]*\]\?(?:Redirectiondetected\.Toauto-accept,press\S{1,20})?$/;
/** First row of a change: a line with its number. */
const CHANGED_LINE = /^(?:\d|\.\.\. )/;
const WARNING_SIGN = /^⚠/;
/** Ends of the warnings of CLI 0.61: their beginning may be above a small screen. */
const WARNING_END = /beforeapproving|ActualHost\(Punycode\)/;

/**
 * True if a dialog says more than its call, such as a warning about arguments from an untrusted source or about a build file, or the
 * message of another hook. No announcement has these texts. In doubt the answer is true.
 */
export function hasWarning({ details = {} }: NotificationHook, dialog: ScreenDialog): boolean {
  const { type, command } = details;
  const rows = dialog.body.split('\n');
  if (rows.some((row) => WARNING_SIGN.test(row)) || WARNING_END.test(squeeze(dialog.body)))
    return true;
  if (type === 'exec') return typeof command !== 'string' || !isCommandAlone(rows, command);
  if (type !== 'edit') return false;
  const [first = '', second = ''] = rows;
  return HEADER.test(first) && !CHANGED_LINE.test(second);
}

/** True if nothing but the command, or its end, stands between the header and the question. */
function isCommandAlone(rows: readonly string[], command: string): boolean {
  const header = rows.findIndex((row) => HEADER.test(row));
  const question = rows.findLastIndex((row) => QUESTION.test(row));
  if (header < 0 || question < header) return false;
  const shown = rows.slice(header + 1, question).filter((row) => !HIDDEN_LINES.test(row));
  return (
    squeeze(command).endsWith(squeeze(shown.join(''))) &&
    QUESTION_ALONE.test(squeeze(rows.slice(question).join('')))
  );
}
