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
import type { TmuxPane } from '../tmux/tmux-pane.js';
import { describeHookCall, describeNotification } from './describe-call.js';
import { type FollowedSignals, followSignals } from './follow-signals.js';
import { announces } from './match-calls.js';
import { PendingCalls } from './pending-calls.js';
import { isAsPredicted, predictEdit } from './predict-edit.js';
import { RefusedTurn } from './refused-turn.js';
import {
  decideDialog,
  describeDialog,
  findSigns,
  knowDialog,
  type ShownDialog,
} from './shown-dialog.js';
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

const ELSEWHERE = 'The dialog is open in the terminal of the session.';

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

  /**
   * Ends everything that waits: the turn is over, or was interrupted. An answer never outlives the call that it was for.
   *
   * @param by `desk` if the person at the desk has ended the turn
   */
  release(by?: 'desk'): void {
    this.#turnEnd.abort(by);
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
    const turn = this.#turnEnd.signal;
    const waiting = this.#follow(closed, this.#held.signal);
    const answer = await sink.ask(draft, waiting.signal).finally(waiting.stop);
    if (answer.outcome !== 'decided') return {};
    const { decision } = answer;
    if (decision.type === 'deny') {
      this.#calls.refuse(hook);
      return { decision: 'deny', reason: decision.reason || 'The user refused this call.' };
    }
    // The turn may have ended while the answer was being written.
    if (!turn.aborted && !closed.aborted) this.#calls.allow({ call: hook, edit });
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
    let isOver = (): void => {};
    // The place in the order is taken at once: two announcements may come at the same moment.
    this.#dialogs = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    const announced = { hook, over: new AbortController() };
    this.#announced.add(announced);
    const ending = this.#follow(announced.over.signal);
    const end = (): void => {
      ending.stop();
      this.#announced.delete(announced);
      isOver();
    };
    // The answer to the hook must not wait longer than the hook itself does.
    const waiting = followSignals([closed, ending.signal]);
    await Promise.race([before.then(() => pane.settled()), aborted(waiting.signal)]);
    waiting.stop();
    void this.#answerDialog(hook, pane, ending.signal)
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
      ...describeNotification(hook, call, ELSEWHERE, false),
      ...{ kind: 'dialog' as const, isDenyOnly: true, reasonWay: 'none' as const },
    };
    const waiting = this.#follow(announced.over.signal);
    void this.#options.sink
      .ask(draft, waiting.signal)
      .catch(() => {})
      .finally(() => {
        waiting.stop();
        this.#announced.delete(announced);
      });
  }

  async #answerDialog(hook: NotificationHook, pane: TmuxPane, signal: AbortSignal): Promise<void> {
    const allowed = this.#calls.takeAllowed(hook);
    const signs = findSigns(hook, this.#calls);
    const dialog = await awaitDialog(pane, signs, signal);
    if (dialog === undefined) {
      if (!signal.aborted) await this.#reportUnseen(pane, signs);
      return;
    }
    const shown = knowDialog(hook, this.#calls, pane, dialog);
    // The person has allowed what was expected. The dialog may show another change, or a warning.
    if (allowed !== undefined && isAsPredicted(hook, allowed.edit) && !shown.hasWarning)
      await pressOption(pane, shown.sign, findAllow);
    else await this.#askAbout(shown, signal);
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
    const waiting = followSignals([gone.signal, signal]);
    const answer = await sink.ask(draft, waiting.signal).finally(waiting.stop);
    if (answer.outcome === 'decided') {
      const { decision, by } = answer;
      await decideDialog(shown, decision);
      if (decision.type === 'deny' && decision.reason && draft.reasonWay === 'new-turn')
        promptNext(this.#turn.refuse(draft, decision.reason), by);
    }
    await watching;
  }

  #warn(message: string): void {
    this.#options.sink.add({ type: 'notice', level: 'warning', message }, 'screen');
  }

  /** Follows the end of the turn and of the session, and further signals. */
  #follow(...more: readonly AbortSignal[]): FollowedSignals {
    return followSignals([...more, this.#turnEnd.signal, this.#options.signal]);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
