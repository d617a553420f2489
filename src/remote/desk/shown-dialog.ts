import type { BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import type { RemoteDecision } from '../../api/remote-request.js';
import type { RequestDraft } from '../broker/approval-broker.js';
import { draftOfDialog, pressChoice } from '../drivers/tmux/dialog-choices.js';
import {
  type DialogSign,
  denyDialog,
  findAllow,
  pressOption,
} from '../drivers/tmux/pane-dialogs.js';
import { cutText } from '../session/cut-text.js';
import type { ScreenDialog } from '../tmux/parse-dialog.js';
import type { TmuxPane } from '../tmux/tmux-pane.js';
import { isInText } from '../tmux/tmux-text.js';
import { answerQuestions, questionSign } from './answer-questions.js';
import { describeNotification, isToolDialog, readQuestions } from './describe-call.js';
import { hasWarning } from './has-warning.js';
import { signOf } from './match-calls.js';
import type { PendingCalls } from './pending-calls.js';

const MOST_CALL_CHARACTERS = 4_000;

type CallDraft = Omit<RequestDraft, 'sessionId'>;

/** A dialog that stands at the desk, and what is known about it. */
export interface ShownDialog {
  readonly pane: TmuxPane;
  readonly dialog: ScreenDialog;
  readonly sign: DialogSign;
  readonly hook: NotificationHook;
  /** The call that the dialog is about, if it is known. */
  readonly call: BeforeToolHook | undefined;
  /** Different calls of which the dialog is about one. Empty if it is known about which one. */
  readonly choice: readonly BeforeToolHook[];
  /** True if the dialog says more than its call. */
  readonly hasWarning: boolean;
}

/** Returns what the dialog of an announcement shows. The questions of the agent are in their calls alone. */
export function findSigns(hook: NotificationHook, calls: PendingCalls): readonly DialogSign[] {
  return isQuestion(hook)
    ? calls.questions().flatMap((call) => questionSigns(call).slice(0, 1))
    : [{ ...signOf(hook), titles: 'asking' }];
}

/** Finds what a dialog is about. */
export function knowDialog(
  hook: NotificationHook,
  calls: PendingCalls,
  pane: TmuxPane,
  dialog: ScreenDialog,
): ShownDialog {
  const asked = calls.questions().find((question) => {
    const [sign] = questionSigns(question);
    return sign !== undefined && isInText(dialog.text, sign.text);
  });
  const call = isQuestion(hook) ? asked : calls.find(hook);
  const [sign = { text: '', titles: 'asking' as const }] =
    isQuestion(hook) && call !== undefined ? questionSigns(call) : findSigns(hook, calls);
  const isWarned = hasWarning(hook, dialog);
  // Where the sign is not all that was shown, the answer holds for this dialog alone: its whole text must stay the same.
  const isExact = sign.text === '' || call === undefined || isWarned;
  return {
    ...{ pane, dialog, hook, call, hasWarning: isWarned },
    choice: call === undefined ? calls.fitting(hook) : [],
    sign: isExact ? { ...sign, text: dialog.body } : sign,
  };
}

/** Describes a dialog for the person: the questions of the agent, a call that needs a permission, or its text with its options. */
export function describeDialog(shown: ShownDialog): CallDraft {
  const { hook, call, dialog } = shown;
  const questions = call?.tool_name === 'ask_user' ? readQuestions(call) : [];
  if (questions.length > 0)
    return {
      ...{ kind: 'question', toolName: 'ask_user', title: 'The agent has a question', input: {} },
      ...{ questions, options: [], isDenyOnly: false, reasonWay: 'none' },
    };
  if (isToolDialog(hook) || dialog.options.some((option) => findAllow([option]) !== undefined))
    return describeNotification(hook, call, textOf(shown), shown.hasWarning);
  return draftOfDialog(dialog, String(hook.details?.['title'] ?? ''));
}

/** Returns the text of a dialog. The screen cuts arguments, so those of all calls that it may be about follow. */
function textOf({ dialog, choice }: ShownDialog): string {
  if (choice.length === 0) return dialog.text;
  const calls = choice.map(({ tool_input: input }) =>
    cutText(JSON.stringify(input, undefined, 2), MOST_CALL_CHARACTERS),
  );
  return [dialog.text, '', 'The dialog is about one of these calls:', ...calls].join('\n');
}

/** Presses the keys for a decision. Throws INVALID_INPUT if the dialog is no longer there. */
export async function decideDialog(
  { pane, sign, dialog, call }: ShownDialog,
  decision: RemoteDecision,
): Promise<void> {
  switch (decision.type) {
    case 'answer':
      return answerQuestions(pane, call === undefined ? [] : readQuestions(call), decision.answers);
    case 'choose':
      return pressChoice(pane, dialog, decision.option);
    case 'deny':
      return denyDialog(pane, sign);
    default:
      return pressOption(pane, sign, findAllow);
  }
}

function isQuestion({ details }: NotificationHook): boolean {
  return details?.['type'] === 'ask_user';
}

function questionSigns(call: BeforeToolHook): readonly DialogSign[] {
  return readQuestions(call).map(questionSign);
}
