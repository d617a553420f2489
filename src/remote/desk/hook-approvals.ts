import type { AfterToolHook, BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import { messageOf } from '../../base/errors/message-of.js';
import type { SessionSink } from '../drivers/session-driver.js';
import {
  awaitDialog,
  awaitGone,
  type DialogSign,
  findAllow,
  findDeny,
  pressOption,
} from '../drivers/tmux/pane-dialogs.js';
import type { TmuxPane } from '../tmux/tmux-pane.js';
import { answerQuestions, questionSign } from './answer-questions.js';
import {
  announces,
  describeHookCall,
  describeNotification,
  isSameCall,
  readQuestions,
  signOf,
  wouldAsk,
} from './hook-calls.js';
import { RefusedTurn } from './refused-turn.js';

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
  /** Calls that a person has allowed and whose dialog has not come yet. */
  readonly #allowed: BeforeToolHook[] = [];
  readonly #announced = new Set<Announced>();
  #questions: BeforeToolHook | undefined;
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
    this.#allowed.length = 0;
    this.#questions = undefined;
  }

  /** Lets the calls go that wait for a device, because the person is back: their dialogs open at the desk. */
  handToDesk(): void {
    this.#held.abort();
    this.#held = new AbortController();
  }

  /** Answers the hook before a tool. */
  async beforeTool(hook: BeforeToolHook, closed: AbortSignal): Promise<object> {
    const { sink, pane, isAway, mode, canPress } = this.#options;
    if (hook.tool_name === 'ask_user') {
      this.#questions = hook;
      return {};
    }
    if (!isAway() || !wouldAsk(hook.tool_name, mode())) return {};
    const draft = await describeHookCall(hook, pane === undefined || !canPress());
    const answer = await sink.ask(draft, this.#signals(closed, this.#held.signal));
    if (answer.outcome !== 'decided') return {};
    const { decision } = answer;
    if (decision.type === 'deny')
      return { decision: 'deny', reason: decision.reason || 'The user refused this call.' };
    this.#allowed.push(hook);
    return {};
  }

  /** A tool has run: its dialog is over, or never came. */
  afterTool(hook: AfterToolHook): void {
    const index = this.#allowed.findIndex((call) => isSameCall(call, hook));
    if (index >= 0) this.#allowed.splice(index, 1);
    for (const announced of this.#announced)
      if (announces(announced.hook, hook)) announced.over.abort('desk');
  }

  /**
   * Answers the hook that announces a dialog. The CLI draws the dialog after this answer, so the answer waits until the dialog
   * before is gone and no key is on its way.
   */
  async notification(hook: NotificationHook, closed: AbortSignal): Promise<object> {
    const { pane } = this.#options;
    if (pane === undefined || hook.notification_type !== 'ToolPermission') return {};
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

  async #answerDialog(hook: NotificationHook, pane: TmuxPane, signal: AbortSignal): Promise<void> {
    const sign = this.#signOf(hook);
    const index = this.#allowed.findIndex((call) => announces(hook, call));
    const isAllowed = index >= 0;
    if (isAllowed) this.#allowed.splice(index, 1);
    if ((await awaitDialog(pane, sign, signal)) === undefined) {
      if (!signal.aborted) await this.#reportUnseen(pane, sign);
      return;
    }
    if (isAllowed) await pressOption(pane, sign, findAllow);
    else await this.#askAboutDialog(hook, pane, sign, signal);
  }

  /** Tells the person about a dialog that was announced and is not found on the screen. */
  async #reportUnseen(pane: TmuxPane, sign: DialogSign): Promise<void> {
    const { state, screen, isDead } = await pane.look();
    // Without the title of a question, the dialog was answered at the desk before it was seen.
    if (isDead || (state !== 'asking' && state !== undefined)) return;
    if (screen.dialog === undefined) this.#options.onUnseen();
    this.#warn(
      `A dialog is open at the desk and is not recognised on the screen: ${sign.text || 'unknown'}. Answer it at the desk.`,
    );
  }

  /** Shows a dialog that stands at the desk. The first answer wins, there or on a device. */
  async #askAboutDialog(
    hook: NotificationHook,
    pane: TmuxPane,
    sign: DialogSign,
    signal: AbortSignal,
  ): Promise<void> {
    const { sink } = this.#options;
    const gone = new AbortController();
    const watching = awaitGone(pane, sign, signal).then(() => gone.abort('desk'));
    const questions = this.#questions === undefined ? [] : readQuestions(this.#questions);
    const isQuestion = hook.details?.['type'] === 'ask_user' && questions.length > 0;
    const draft = isQuestion
      ? {
          ...describeNotification(hook),
          kind: 'question' as const,
          toolName: 'ask_user',
          title: 'The agent has a question',
          questions,
          reasonWay: 'none' as const,
        }
      : describeNotification(hook);
    const answer = await sink.ask(draft, AbortSignal.any([gone.signal, signal]));
    if (answer.outcome === 'decided') {
      const { decision, by } = answer;
      if (decision.type === 'answer') await answerQuestions(pane, questions, decision.answers);
      else if (decision.type === 'deny') {
        await pressOption(pane, sign, findDeny);
        if (decision.reason && draft.reasonWay === 'new-turn')
          this.#options.promptNext(this.#turn.refuse(draft, decision.reason), by);
      } else await pressOption(pane, sign, findAllow);
    }
    await watching;
  }

  /** Returns what the dialog of an announcement shows. The questions of the agent are in its call alone. */
  #signOf(hook: NotificationHook): DialogSign {
    const [question] = this.#questions === undefined ? [] : readQuestions(this.#questions);
    return hook.details?.['type'] === 'ask_user' && question !== undefined
      ? questionSign(question)
      : { ...signOf(hook), titles: 'asking' };
  }

  #warn(message: string): void {
    this.#options.sink.add({ type: 'notice', level: 'warning', message }, 'screen');
  }

  #signals(...more: readonly AbortSignal[]): AbortSignal {
    return AbortSignal.any([...more, this.#turnEnd.signal, this.#options.signal]);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
