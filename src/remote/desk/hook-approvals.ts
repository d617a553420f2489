import type { BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import { messageOf } from '../../base/errors/message-of.js';
import type { SessionSink } from '../drivers/session-driver.js';
import {
  awaitDialog,
  awaitGone,
  findAllow,
  findDeny,
  pressOption,
} from '../drivers/tmux/pane-dialogs.js';
import type { TmuxPane } from '../tmux/tmux-pane.js';
import { answerQuestions } from './answer-questions.js';
import {
  announces,
  describeHookCall,
  describeNotification,
  readQuestions,
  signOf,
  wouldAsk,
} from './hook-calls.js';

export interface ApprovalOptions {
  readonly sink: SessionSink;
  /** Pane in which the dialogs appear; undefined for a session that is only watched. */
  readonly pane: TmuxPane | undefined;
  /** True if the person is away: calls then wait for a device before the dialog appears. */
  readonly isAway: () => boolean;
  readonly mode: () => string | undefined;
  /** Aborted when the session is given up. */
  readonly signal: AbortSignal;
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
  #questions: BeforeToolHook | undefined;
  /** The announcement that is being answered. The next one waits for it. */
  #dialogs: Promise<unknown> = Promise.resolve();
  #answering = 0;
  #turnEnd = new AbortController();

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** True while a dialog is being answered. */
  get isAnswering(): boolean {
    return this.#answering > 0;
  }

  /** Ends everything that waits: the turn is over, or was interrupted. */
  release(): void {
    this.#turnEnd.abort();
    this.#turnEnd = new AbortController();
    this.#allowed.length = 0;
    this.#questions = undefined;
  }

  /** Answers the hook before a tool. */
  async beforeTool(hook: BeforeToolHook, closed: AbortSignal): Promise<object> {
    const { sink, pane, isAway, mode } = this.#options;
    if (hook.tool_name === 'ask_user') {
      this.#questions = hook;
      return {};
    }
    if (!isAway() || !wouldAsk(hook.tool_name, mode())) return {};
    const draft = await describeHookCall(hook, pane === undefined);
    const answer = await sink.ask(draft, this.#signals(closed));
    if (answer.outcome !== 'decided') return {};
    const { decision } = answer;
    if (decision.type === 'deny')
      return { decision: 'deny', reason: decision.reason || 'The user refused this call.' };
    this.#allowed.push(hook);
    return {};
  }

  /** A tool has run: its dialog is not expected any more. */
  afterTool(toolName: string): void {
    const index = this.#allowed.findIndex(({ tool_name: name }) => name === toolName);
    if (index >= 0) this.#allowed.splice(index, 1);
  }

  /**
   * Answers the hook that announces a dialog. The CLI draws the dialog after this answer, so the answer waits until the dialog
   * before is gone.
   */
  async notification(hook: NotificationHook, closed: AbortSignal): Promise<object> {
    const { pane } = this.#options;
    if (pane === undefined || hook.notification_type !== 'ToolPermission') return {};
    const before = this.#dialogs;
    const signal = this.#signals();
    // The answer to the hook must not wait longer than the hook itself does.
    await Promise.race([before, aborted(closed), aborted(signal)]);
    this.#answering++;
    this.#dialogs = this.#answerDialog(hook, pane, signal)
      .catch((error: unknown) => {
        const message = `The dialog could not be answered: ${messageOf(error)}`;
        this.#options.sink.add({ type: 'notice', level: 'warning', message }, 'screen');
      })
      .finally(() => {
        this.#answering--;
      });
    return {};
  }

  async #answerDialog(hook: NotificationHook, pane: TmuxPane, signal: AbortSignal): Promise<void> {
    const sign = signOf(hook);
    const index = this.#allowed.findIndex((call) => announces(hook, call));
    if (index >= 0) {
      this.#allowed.splice(index, 1);
      if ((await awaitDialog(pane, sign, signal)) !== undefined)
        await pressOption(pane, sign, findAllow);
      return;
    }
    if ((await awaitDialog(pane, sign, signal)) === undefined) return;
    await this.#askAboutDialog(hook, pane, signal);
  }

  /** Shows a dialog that stands at the desk. The first answer wins, there or on a device. */
  async #askAboutDialog(
    hook: NotificationHook,
    pane: TmuxPane,
    signal: AbortSignal,
  ): Promise<void> {
    const { sink } = this.#options;
    const sign = signOf(hook);
    const gone = new AbortController();
    const watching = awaitGone(pane, sign, signal).then(() => gone.abort());
    const questions = this.#questions;
    const isQuestion = hook.details?.['type'] === 'ask_user' && questions !== undefined;
    const draft = isQuestion
      ? {
          ...describeNotification(hook),
          kind: 'question' as const,
          toolName: 'ask_user',
          title: 'The agent has a question',
          questions: readQuestions(questions),
        }
      : describeNotification(hook);
    const answer = await sink.ask(draft, AbortSignal.any([gone.signal, signal]));
    if (answer.outcome === 'decided') {
      const { decision } = answer;
      if (decision.type === 'answer')
        await answerQuestions(pane, draft.questions, decision.answers);
      else if (decision.type === 'deny') await pressOption(pane, sign, findDeny);
      else await pressOption(pane, sign, findAllow);
    }
    await watching;
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
