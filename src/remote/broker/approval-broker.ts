import { randomUUID } from 'node:crypto';
import type { RemoteDecisionEntry } from '../../api/remote-entry.js';
import type { RemoteDecision, RemoteRequest } from '../../api/remote-request.js';
import { refusal } from '../session/refusal.js';
import { hashToolCall } from './input-hash.js';
import { describeScope, SessionRules } from './session-rules.js';

/** A request without the fields that the broker fills in. */
export type RequestDraft = Omit<RemoteRequest, 'id' | 'inputHash' | 'rule' | 'createdAt'>;

/** Answer to a request: a decision, or the fact that none is needed any more. */
export type BrokerAnswer =
  | { readonly outcome: 'decided'; readonly decision: RemoteDecision; readonly by: string }
  | { readonly outcome: 'desk' | 'withdrawn' };

/** Connection of the broker to the logs of sessions. */
export interface BrokerLog {
  /** A request is open, or open again because its answer could not be written. */
  opened(request: RemoteRequest): void;
  /** A request has its answer. Resolves when the answer is on the disk. */
  closed(
    request: RemoteRequest,
    entry: Omit<RemoteDecisionEntry, 'type' | 'requestId'>,
  ): Promise<void>;
  /** A request is no longer among the open ones. */
  settled(request: RemoteRequest): void;
  /** A rule was made. */
  ruled(rule: ReturnType<SessionRules['create']> & object): void;
}

interface OpenRequest {
  readonly request: RemoteRequest;
  readonly answer: (answer: BrokerAnswer) => void;
  /** Withdraws the request if the agent has stopped waiting while an answer was being written. */
  readonly withdrawIfAborted: () => void;
  /** Set when an answer is being written: a second answer is refused from then on. */
  answeredBy?: string;
}

/**
 * Collects decisions. Each request gets exactly one answer: the first one wins, and the answer is on the disk before the
 * agent gets it. Without an answer a request stays open: the broker never allows and never denies by itself.
 */
export class ApprovalBroker {
  readonly rules = new SessionRules();
  readonly #log: BrokerLog;
  readonly #open = new Map<string, OpenRequest>();
  /** Who answered requests that are over, for the message to a device that was later. */
  readonly #answered = new Map<string, string>();

  constructor(log: BrokerLog) {
    this.#log = log;
  }

  list(): readonly RemoteRequest[] {
    return [...this.#open.values()].map(({ request }) => request);
  }

  /** Number of open requests of a session. */
  count(sessionId: string): number {
    return this.list().filter((request) => request.sessionId === sessionId).length;
  }

  /** Opens a request and waits for its answer. A rule of the session answers at once. The signal withdraws the request; its reason `desk` says that the desk has answered. */
  async ask(draft: RequestDraft, signal: AbortSignal): Promise<BrokerAnswer> {
    const request: RemoteRequest = {
      ...draft,
      id: randomUUID(),
      inputHash: hashToolCall(draft),
      rule: mayRule(draft) ? describeScope(draft) : undefined,
      createdAt: new Date().toISOString(),
    };
    if (signal.aborted) return { outcome: 'withdrawn' };
    const rule = mayRule(draft) ? this.rules.find(draft) : undefined;
    const ruled = rule && (await this.#answerByRule(request));
    if (ruled !== undefined) return ruled;
    if (signal.aborted) {
      // The log has the request as open.
      await this.#log.closed(request, { outcome: 'withdrawn' }).catch(() => {});
      return { outcome: 'withdrawn' };
    }
    return new Promise((resolve) => {
      const onAbort = (): void =>
        void this.withdraw(request.id, signal.reason === 'desk' ? 'desk' : 'withdrawn');
      signal.addEventListener('abort', onAbort, { once: true });
      this.#open.set(request.id, {
        request,
        withdrawIfAborted: () => {
          if (signal.aborted) onAbort();
        },
        answer: (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        },
      });
      this.#log.opened(request);
    });
  }

  /** Answers a request. Throws INVALID_INPUT if it is over, was answered by another device, or has changed. */
  async decide(requestId: string, given: RemoteDecision, by: string): Promise<void> {
    const open = this.#open.get(requestId);
    if (open === undefined || open.answeredBy !== undefined) {
      const first = open?.answeredBy ?? this.#answered.get(requestId);
      throw refusal(
        first === undefined
          ? 'The request is no longer open'
          : `The request was answered before: ${first}`,
      );
    }
    assertFits(open.request, given);
    // Where no rule can be made, the log must not say that there is one.
    const decision =
      given.type === 'allow-for-session' && open.request.rule === undefined
        ? ({ type: 'allow', inputHash: given.inputHash } as const)
        : given;
    open.answeredBy = by;
    // The rule is there before the wait: if the session ends meanwhile, its rules end with it.
    const rule =
      decision.type === 'allow-for-session' ? this.rules.create(open.request, by) : undefined;
    try {
      await this.#close(open, { outcome: 'decided', decision, by });
    } catch (error) {
      delete open.answeredBy;
      if (rule !== undefined) this.rules.revoke(rule.id);
      // The log has the answer in memory, and devices show it: they must see that the agent did not get it.
      this.#log.opened(open.request);
      open.withdrawIfAborted();
      throw error;
    }
    if (rule !== undefined && this.rules.has(rule.id)) this.#log.ruled(rule);
    open.answer({ outcome: 'decided', decision, by });
  }

  /** Ends a request without a decision: the desk was faster, or the agent no longer waits. */
  async withdraw(requestId: string, outcome: 'desk' | 'withdrawn' = 'withdrawn'): Promise<void> {
    const open = this.#open.get(requestId);
    if (open === undefined || open.answeredBy !== undefined) return;
    open.answeredBy = outcome === 'desk' ? 'the desk' : 'the agent';
    // The request is over in any case: a log that cannot be written must not keep the agent waiting.
    await this.#close(open, { outcome }).catch(() => this.#forget(open));
    open.answer({ outcome });
  }

  /** Withdraws all requests of a session. */
  async withdrawAll(sessionId: string): Promise<void> {
    const ids = this.list().filter((request) => request.sessionId === sessionId);
    await Promise.all(ids.map(({ id }) => this.withdraw(id)));
  }

  /** Returns the answer of a rule. Undefined if it cannot be written: the person is asked then. */
  async #answerByRule(request: RemoteRequest): Promise<BrokerAnswer | undefined> {
    this.#log.opened(request);
    const decision = { type: 'allow', inputHash: request.inputHash } as const;
    const answer = { outcome: 'decided', decision, by: 'rule' } as const;
    return this.#log.closed(request, answer).then(
      () => answer,
      () => undefined,
    );
  }

  async #close(
    open: OpenRequest,
    entry: Omit<RemoteDecisionEntry, 'type' | 'requestId'>,
  ): Promise<void> {
    await this.#log.closed(open.request, entry);
    this.#forget(open);
  }

  #forget({ request, answeredBy }: OpenRequest): void {
    this.#open.delete(request.id);
    this.#log.settled(request);
    this.#answered.set(request.id, answeredBy ?? 'the agent');
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > MOST_ANSWERED && oldest !== undefined) this.#answered.delete(oldest);
  }
}

const MOST_ANSWERED = 1_000;
const MOST_REASON_CHARACTERS = 4_000;

/** True if a rule may answer a request, and be made from it. */
function mayRule({ kind, isDenyOnly, isOnceOnly }: RequestDraft): boolean {
  return kind === 'tool' && !isDenyOnly && isOnceOnly !== true;
}

function assertFits(request: RemoteRequest, decision: RemoteDecision): void {
  switch (decision.type) {
    case 'allow':
    case 'allow-for-session':
      if (request.kind !== 'tool') throw refusal('Only a tool call can be allowed');
      if (request.isDenyOnly)
        throw refusal(
          'The session is only watched: a call can be denied here, and allowed at the desk',
        );
      if (decision.inputHash !== request.inputHash)
        throw refusal('The call has changed since it was shown');
      return;
    case 'deny':
      if (request.kind === 'dialog') throw refusal('A dialog is answered with one of its options');
      if ((decision.reason ?? '').length > MOST_REASON_CHARACTERS)
        throw refusal(`The reason is longer than ${MOST_REASON_CHARACTERS} characters`);
      return;
    case 'answer':
      if (request.kind !== 'question') throw refusal('Only a question can be answered');
      for (const { id } of request.questions)
        if (decision.answers[id] === undefined) throw refusal(`The question ${id} has no answer`);
      return;
    case 'choose':
      if (!request.options.some(({ id }) => id === decision.option))
        throw refusal('The dialog does not offer this option');
  }
}
