import type { AfterToolHook, BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import { messageOf } from '../../base/errors/message-of.js';
import type { SessionSink } from '../drivers/session-driver.js';
import {
  awaitDialog,
  awaitGone,
  type DialogSign,
  findAllow,
  pressOption,
} from '../drivers/tmux/pane-dialogs.js';
import type { ScreenDialog } from '../tmux/parse-dialog.js';
import type { TmuxPane } from '../tmux/tmux-pane.js';
import { isInText } from '../tmux/tmux-text.js';
import { questionSign } from './answer-questions.js';
import { describeHookCall, describeNotification, readQuestions } from './describe-call.js';
import { announces, signOf } from './match-calls.js';
import { PendingCalls } from './pending-calls.js';
import { isAsPredicted, predictEdit } from './predict-edit.js';
import { RefusedTurn } from './refused-turn.js';
import { decideDialog, describeDialog, type ShownDialog } from './shown-dialog.js';
import { wouldAsk } from './would-ask.js';

export interface ApprovalOptions {
  readonly sink: SessionSink;
  /** Pane in which the dialogs appear; undefined for a session that is only watched. */
  readonly pane: TmuxPane | undefined;
  /** True if keys can be pressed in the pane. */
  readonly canPress: () => boolean;
  /** True if the person is away: calls then wait for a device before the dialog appears. */
  readonly isAway: () => boolean;
  readonly mode: () => string | undefined;
  /** Aborted when the session is given up. */
  readonly signal: AbortSignal;
  /** Called when an announced dialog is open, and the rules for screens do not find it. */
  readonly onUnseen: () => void;
  /** Sends a prompt before all others that wait, because it goes on with the refused turn. Throws INVALID_INPUT. */
  readonly promptNext: (text: string, by: string) => void;
}

/** A dialog that was announced and is not over. */
interface Announced {
  readonly hook: NotificationHook;
  readonly over: AbortController;
}

/**
 * Approvals of one session at the desk. A call is refused through its hook, with a reason that the model gets. It is allowed
 * by the key in the dialog: no hook can allow. Dialogs are announced one at a time, so that a key never meets another one.
 * Whatever fails ends in the dialog at the desk.
 */
export class HookApprovals {
  readonly #options: ApprovalOptions;
  readonly #calls = new PendingCalls();
  readonly #announced = new Set<Announced>();
  /** Resolves when the last announced dialog is over. The next one waits for it. */
  #dialogs: Promise<unknown> = Promise.resolve();
  #turnEnd = new AbortController();
  #held = new AbortController();
  readonly #turn = new RefusedTurn();

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** True while a dialog is being answered. */
  get isAnswering(): boolean {
    return this.#announced.size > 0;
  }

  /** A turn has begun with this prompt. */
  begin(prompt: string): void {
    this.release();
    this.#turn.takePrompt(prompt);
  }

  /** Ends everything that waits: the turn is over, or was interrupted. An answer never outlives the call that it was for. */
  release(): void {
    this.#turnEnd.abort();
    this.#turnEnd = new AbortController();
    this.#calls.clear();
  }

  /** Lets the calls go that wait for a device, because the person is back: their dialogs open at the desk. */
  handToDesk(): void {
    this.#held.abort();
    this.#held = new AbortController();
  }

  /** Answers the hook before a tool. */
  async beforeTool(hook: BeforeToolHook, closed: AbortSignal): Promise<object> {
    const { sink, pane, isAway, mode, canPress } = this.#options;
    this.#calls.add(hook);
    if (!isAway() || !wouldAsk(hook, mode())) return {};
    const edit = predictEdit(hook);
    const draft = describeHookCall(hook, edit, pane === undefined || !canPress());
    const answer = await sink.ask(draft, this.#signals(closed, this.#held.signal));
    if (answer.outcome !== 'decided') return {};
    const { decision } = answer;
    if (decision.type === 'deny') {
      this.#calls.refuse(hook);
      return { decision: 'deny', reason: decision.reason || 'The user refused this call.' };
    }
    this.#calls.allow({ call: hook, edit });
    return {};
  }

  /** A tool has run: its dialog is over, or never came. */
  afterTool(hook: AfterToolHook): void {
    this.#calls.end(hook);
    for (const announced of this.#announced)
      if (announces(announced.hook, hook)) announced.over.abort('desk');
  }

  /**
   * Answers the hook that announces a dialog. The CLI draws the dialog after this answer, so the answer waits until the dialog
   * before is gone and no key is on its way.
   */
  async notification(hook: NotificationHook, closed: AbortSignal): Promise<object> {
    const { pane } = this.#options;
    if (hook.notification_type !== 'ToolPermission') return {};
    if (pane === undefined) {
      this.#showElsewhere(hook);
      return {};
    }
    const before = this.#dialogs;
    const signal = this.#signals();
    let isOver = (): void => {};
    // The place in the order is taken at once: two announcements may come at the same moment.
    this.#dialogs = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    const announced = { hook, over: new AbortController() };
    this.#announced.add(announced);
    const end = (): void => {
      this.#announced.delete(announced);
      isOver();
    };
    // The answer to the hook must not wait longer than the hook itself does.
    await Promise.race([before.then(() => pane.settled()), aborted(closed), aborted(signal)]);
    void this.#answerDialog(hook, pane, AbortSignal.any([signal, announced.over.signal]))
      .catch((error: unknown) =>
        this.#warn(`The dialog could not be answered: ${messageOf(error)}`),
      )
      .finally(end);
    return {};
  }

  /** A dialog was answered in a terminal that is only watched: a refusal is seen by what it removes from the session file. */
  turnRemoved(): void {
    if (this.#options.pane !== undefined) return;
    for (const { over } of this.#announced) over.abort('desk');
  }

  /** Shows a dialog in a terminal that is only watched. It is answered there. */
  #showElsewhere(hook: NotificationHook): void {
    const announced = { hook, over: new AbortController() };
    this.#announced.add(announced);
    const call = this.#calls.find(hook);
    const draft = {
      ...describeNotification(hook, call, 'The dialog is open in the terminal of the session.'),
      ...{ kind: 'dialog' as const, isDenyOnly: true, reasonWay: 'none' as const },
    };
    void this.#options.sink
      .ask(draft, this.#signals(announced.over.signal))
      .catch(() => {})
      .finally(() => this.#announced.delete(announced));
  }

  async #answerDialog(hook: NotificationHook, pane: TmuxPane, signal: AbortSignal): Promise<void> {
    const allowed = this.#calls.takeAllowed(hook);
    const signs = this.#signsOf(hook);
    const dialog = await awaitDialog(pane, signs, signal);
    if (dialog === undefined) {
      if (!signal.aborted) await this.#reportUnseen(pane, signs);
      return;
    }
    const shown = this.#know(hook, pane, dialog);
    // The person has allowed what was expected. What the dialog shows may be another change.
    if (allowed !== undefined && isAsPredicted(hook, allowed.edit))
      await pressOption(pane, shown.sign, findAllow);
    else await this.#askAbout(shown, signal);
  }

  /** Finds what a dialog is about. */
  #know(hook: NotificationHook, pane: TmuxPane, dialog: ScreenDialog): ShownDialog {
    const question = this.#calls.questions().find((call) => {
      const [sign] = questionSigns(call);
      return sign !== undefined && isInText(dialog.text, sign.text);
    });
    const isQuestion = hook.details?.['type'] === 'ask_user';
    const call = isQuestion ? question : this.#calls.find(hook);
    const [sign = { text: '', titles: 'asking' as const }] =
      isQuestion && call !== undefined ? questionSigns(call) : this.#signsOf(hook);
    // Without a sign, the answer holds for the dialog that was shown: its whole text must stay the same.
    const exact = sign.text === '' ? { ...sign, text: dialog.body } : sign;
    return { pane, dialog, sign: exact, hook, call };
  }

  /** Tells the person about a dialog that was announced and is not found on the screen. */
  async #reportUnseen(pane: TmuxPane, [sign]: readonly DialogSign[]): Promise<void> {
    const { state, screen, isDead } = await pane.look();
    // Without the title of a question, the dialog was answered at the desk before it was seen.
    if (isDead || (state !== 'asking' && state !== undefined)) return;
    if (screen.dialog === undefined) this.#options.onUnseen();
    this.#warn(
      `A dialog is open at the desk and is not recognised on the screen: ${sign?.text || 'unknown'}. Answer it at the desk.`,
    );
  }

  /** Shows a dialog that stands at the desk. The first answer wins, there or on a device. */
  async #askAbout(shown: ShownDialog, signal: AbortSignal): Promise<void> {
    const { sink, promptNext } = this.#options;
    const { pane, sign } = shown;
    const gone = new AbortController();
    // A pane that cannot be looked at is gone, and its dialog with it.
    const watching = awaitGone(pane, sign, signal)
      .catch(() => {})
      .then(() => gone.abort('desk'));
    const draft = describeDialog(shown);
    const answer = await sink.ask(draft, AbortSignal.any([gone.signal, signal]));
    if (answer.outcome === 'decided') {
      const { decision, by } = answer;
      await decideDialog(shown, decision);
      if (decision.type === 'deny' && decision.reason && draft.reasonWay === 'new-turn')
        promptNext(this.#turn.refuse(draft, decision.reason), by);
    }
    await watching;
  }

  /** Returns what the dialog of an announcement shows. The questions of the agent are in their calls alone. */
  #signsOf(hook: NotificationHook): readonly DialogSign[] {
    if (hook.details?.['type'] !== 'ask_user') return [{ ...signOf(hook), titles: 'asking' }];
    return this.#calls.questions().flatMap((call) => questionSigns(call).slice(0, 1));
  }

  #warn(message: string): void {
    this.#options.sink.add({ type: 'notice', level: 'warning', message }, 'screen');
  }

  #signals(...more: readonly AbortSignal[]): AbortSignal {
    return AbortSignal.any([...more, this.#turnEnd.signal, this.#options.signal]);
  }
}

function questionSigns(call: BeforeToolHook): readonly DialogSign[] {
  return readQuestions(call).map(questionSign);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
