import type { RemotePromptEntry } from '../../api/remote-entry.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { ControlledSession } from './controlled-session.js';
import { refusal } from './refusal.js';

const MOST_PROMPT_CHARACTERS = 1_000_000;
/** Prompts of a session that are known again after a restart of the server. */
const MOST_KNOWN = 500;
const UNKNOWN_ARRIVAL =
  'The server ended while the prompt was on its way: look at the session before you send it again';

type PromptStatus = RemotePromptEntry['status'];

interface QueuedPrompt {
  readonly promptId: string;
  readonly text: string;
  readonly by: string;
  /** True for a prompt that goes before all others that wait. */
  readonly isNext?: boolean;
}

/**
 * Prompts of one session. One prompt is on its way at a time; the others wait for the end of its turn. Each change of a
 * prompt is an entry of the log, so that every device sees how far it has come.
 */
export class PromptQueue {
  readonly #session: ControlledSession;
  readonly #waiting: QueuedPrompt[] = [];
  readonly #known = new Set<string>();
  #isSending = false;

  constructor(session: ControlledSession) {
    this.#session = session;
  }

  /** True if a prompt waits or is on its way. */
  get isWaiting(): boolean {
    return this.#isSending || this.#waiting.length > 0;
  }

  /** Ids of the latest prompts. */
  get knownIds(): readonly string[] {
    return [...this.#known].slice(-MOST_KNOWN);
  }

  /** Takes over the ids of prompts of an earlier run of the server. */
  know(promptIds: readonly string[]): void {
    for (const promptId of promptIds) this.#known.add(promptId);
  }

  /**
   * Takes over the last entry of a prompt from the log of an earlier run of the server. A prompt that waited then waits again. One
   * that was on its way may or may not have arrived, so it is not sent a second time.
   */
  restore(prompt: RemotePromptEntry): void {
    this.#known.add(prompt.promptId);
    if (prompt.status === 'queued') this.#waiting.push(prompt);
    if (prompt.status === 'sent') this.#report(prompt, 'not-delivered', UNKNOWN_ARRIVAL);
  }

  /** Adds a prompt. The same id again changes nothing. Throws INVALID_INPUT. */
  add(prompt: QueuedPrompt): void {
    if (this.#known.has(prompt.promptId)) return;
    assertPrompt(prompt.text);
    this.#session.require('prompt');
    this.#accept(prompt);
  }

  /** Adds the first prompt of a session that is still starting. If the session cannot be started, the log has the prompt. */
  addFirst(prompt: QueuedPrompt): void {
    this.#accept(prompt);
  }

  #accept(prompt: QueuedPrompt): void {
    this.#known.add(prompt.promptId);
    if (prompt.isNext === true) this.#waiting.unshift(prompt);
    else this.#waiting.push(prompt);
    this.#report(prompt, 'queued');
    void this.advance();
  }

  /** Takes back a prompt that waits. */
  withdraw(promptId: string): void {
    const index = this.#waiting.findIndex((prompt) => prompt.promptId === promptId);
    const [prompt] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (prompt === undefined)
      throw refusal('The prompt is no longer queued', 'Interrupt the session to end its turn.');
    this.#report(prompt, 'withdrawn');
  }

  /** Sends the next prompt if the session is ready. Called when the session becomes ready. */
  async advance(): Promise<void> {
    if (this.#isSending || this.#session.state !== 'ready' || !this.#session.can('prompt')) return;
    const prompt = this.#waiting.shift();
    if (prompt === undefined) return;
    this.#isSending = true;
    let isAccepted = false;
    let isLate = false;
    try {
      this.#report(prompt, 'sent');
      await this.#session.require('prompt').prompt({
        text: prompt.text,
        accepted: () => {
          if (!isAccepted) this.#report(prompt, 'accepted');
          isAccepted = true;
        },
        answered: () => {
          if (isLate) this.#report(prompt, 'answered');
        },
      });
      this.#report(prompt, 'answered');
    } catch (error) {
      isLate = !isAccepted;
      this.#report(prompt, isLate ? 'not-delivered' : 'answered', messageOf(error));
    } finally {
      this.#isSending = false;
    }
    await this.advance();
  }

  /** Reports all waiting prompts as not delivered, because the session has ended. */
  end(detail: string): void {
    for (const prompt of this.#waiting.splice(0)) this.#report(prompt, 'not-delivered', detail);
  }

  #report({ promptId, text, by }: QueuedPrompt, status: PromptStatus, detail?: string): void {
    const source = status === 'queued' || status === 'withdrawn' ? 'person' : 'server';
    this.#session.add({ type: 'prompt', promptId, text, status, by, detail }, source);
  }
}

/** Throws INVALID_INPUT for a prompt that cannot be sent. */
export function assertPrompt(text: string): void {
  if (text.trim() === '') throw refusal('The prompt is empty');
  if (text.length > MOST_PROMPT_CHARACTERS)
    throw refusal(`The prompt is longer than ${MOST_PROMPT_CHARACTERS} characters`);
}

/** Waits until the prompts of a session are on the disk. Throws API_UNAVAILABLE: the device then keeps the text, and sends it again. */
export async function keepPrompt({ log }: ControlledSession): Promise<void> {
  try {
    await log.sync();
  } catch (error) {
    throw new ProviderError({
      code: 'API_UNAVAILABLE',
      message: `The prompt is queued, but it cannot be stored: ${messageOf(error)}`,
      hint: 'Make room on the disk of the desk: the prompt is lost if the server ends.',
    });
  }
}
