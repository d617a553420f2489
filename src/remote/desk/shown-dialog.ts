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
import type { ScreenDialog } from '../tmux/parse-dialog.js';
import type { TmuxPane } from '../tmux/tmux-pane.js';
import { answerQuestions } from './answer-questions.js';
import { describeNotification, isToolDialog, readQuestions } from './describe-call.js';

type CallDraft = Omit<RequestDraft, 'sessionId'>;

/** A dialog that stands at the desk, and what is known about it. */
export interface ShownDialog {
  readonly pane: TmuxPane;
  readonly dialog: ScreenDialog;
  readonly sign: DialogSign;
  readonly hook: NotificationHook;
  /** The call that the dialog is about, if it is known. */
  readonly call: BeforeToolHook | undefined;
}

/** Describes a dialog for the person: the questions of the agent, a call that needs a permission, or its text with its options. */
export function describeDialog({ hook, call, dialog }: ShownDialog): CallDraft {
  const questions = call?.tool_name === 'ask_user' ? readQuestions(call) : [];
  if (questions.length > 0)
    return {
      ...{ kind: 'question', toolName: 'ask_user', title: 'The agent has a question', input: {} },
      ...{ questions, options: [], isDenyOnly: false, reasonWay: 'none' },
    };
  if (isToolDialog(hook) || dialog.options.some((option) => findAllow([option]) !== undefined))
    return describeNotification(hook, call, dialog.text);
  return draftOfDialog(dialog, String(hook.details?.['title'] ?? ''));
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
