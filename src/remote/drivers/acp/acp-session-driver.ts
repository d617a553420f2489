import { randomUUID } from 'node:crypto';
import type { LiveSession } from '../../../agents/acp/live-session.js';
import type { AgentProfile } from '../../../agents/acp/profile.js';
import { RpcCallError } from '../../../agents/acp/rpc-call.js';
import type { AgentEvent, PermissionDecision } from '../../../api/agent-event.js';
import type { PermissionRequest } from '../../../api/permission.js';
import type { ApprovalMode } from '../../../api/provider-config.js';
import type { RemoteCapabilities } from '../../../api/remote-session.js';
import { isObject } from '../../../base/json/is-object.js';
import { estimateCost } from '../../../base/usage/estimate-cost.js';
import { knownUsd } from '../../session/known-usd.js';
import { LED_CAPABILITIES } from '../../session/led-capabilities.js';
import { refusal } from '../../session/refusal.js';
import type { OutgoingPrompt, SessionDriver, SessionSink } from '../session-driver.js';
import { mapPermission } from './permission-draft.js';
import { TurnEntries } from './turn-entries.js';

const IDLE: RemoteCapabilities = { ...LED_CAPABILITIES, handBack: true };

export interface AcpSessionOptions {
  readonly sink: SessionSink;
  readonly profile: AgentProfile;
  /** Modes that a device may choose. */
  readonly modes: readonly ApprovalMode[];
  readonly model: string | undefined;
  /** Called when the process of the agent has ended by itself. */
  readonly onExit: () => void;
}

/** Drives a session that this server has started, over the Agent Client Protocol. */
export class AcpSessionDriver implements SessionDriver {
  readonly name = 'acp';
  readonly #options: AcpSessionOptions;
  #live: LiveSession | undefined;
  #entries: TurnEntries | undefined;
  /** A session that is given back and taken over again counts its turns anew: its messages need other ids. */
  readonly #id = randomUUID().slice(0, 8);
  #turns = 0;
  #hasUpdate = false;
  /** Withdraws the requests of a turn that is over. */
  #turnEnd = new AbortController();
  #isInterrupted = false;
  /** Reasons of refused calls, which the protocol does not carry to the model. */
  #reasons: string[] = [];

  constructor(options: AcpSessionOptions) {
    this.#options = options;
  }

  /** Takes the session after it was opened. */
  start(live: LiveSession): void {
    this.#live = live;
    const { sink, modes, model, onExit } = this.#options;
    const facts = { cliSessionId: live.id, modes, models: live.models, mode: live.approvalMode };
    sink.update({ ...facts, model, capabilities: IDLE, state: 'ready' }, 'agent');
    void live.exited.then(() => {
      if (this.#live === live) onExit();
    });
  }

  onEvent(event: AgentEvent): void {
    this.#entries?.accept(event);
    if (event.type !== 'user-input' && this.#entries !== undefined) this.#hasUpdate = true;
  }

  /** Answers a permission request of the agent with the decision of the person. */
  async decide(request: PermissionRequest): Promise<PermissionDecision> {
    const { toolName, title } = request;
    const { signal } = this.#turnEnd;
    const answer = await this.#options.sink.ask(mapPermission(request), signal);
    if (answer.outcome !== 'decided') return 'reject';
    const { decision } = answer;
    if (decision.type === 'deny' && decision.reason)
      this.#reasons.push(`I refused the call of ${toolName} (${title}): ${decision.reason}`);
    return decision.type === 'allow' || decision.type === 'allow-for-session'
      ? 'allow_once'
      : 'reject';
  }

  async prompt({ text, accepted }: OutgoingPrompt): Promise<void> {
    const { sink } = this.#options;
    accepted();
    await this.#turn(text, { isReason: false });
    // The protocol has no field for a reason, so the reasons follow as a prompt of their own.
    while (this.#reasons.length > 0 && !this.#isInterrupted)
      await this.#turn(this.#reasons.splice(0).join('\n'), { isReason: true });
    this.#reasons = [];
    sink.update({ state: this.#live === undefined ? 'ended' : 'ready' }, 'agent');
  }

  async interrupt(): Promise<void> {
    this.#isInterrupted = true;
    this.#turnEnd.abort();
    this.#requireLive().cancel();
  }

  async setMode(mode: ApprovalMode): Promise<void> {
    if (!(await this.#requireLive().setMode(mode)))
      throw refusal(`The agent refused the mode ${mode}`);
    this.#options.sink.update({ mode }, 'agent');
  }

  async setModel(model: string): Promise<void> {
    if (!(await this.#requireLive().setModel(model)))
      throw refusal('The agent offers no choice of models');
    this.#options.sink.update({ model }, 'agent');
  }

  async end(): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    this.#turnEnd.abort();
    live?.cancel();
    live?.close();
  }

  release(): Promise<void> {
    return this.end();
  }

  async #turn(text: string, { isReason }: { isReason: boolean }): Promise<void> {
    const { sink } = this.#options;
    const live = this.#requireLive();
    this.#turns++;
    const prefix = `${live.id}-${this.#id}-${this.#turns}`;
    const entries = new TurnEntries(sink, prefix);
    this.#entries = entries;
    this.#turnEnd = new AbortController();
    this.#isInterrupted = false;
    this.#hasUpdate = false;
    const blocks = [{ type: 'text' as const, text }];
    sink.add(
      { type: 'message', messageId: `${prefix}-0`, role: 'user', blocks },
      isReason ? 'server' : 'person',
    );
    sink.update({ state: 'working' }, 'agent');
    try {
      this.#report(await live.prompt(text));
      entries.end('cancelled');
    } catch (error) {
      entries.end('failed');
      this.#fail(error);
    } finally {
      this.#turnEnd.abort();
      this.#entries = undefined;
    }
  }

  /** Tells the person how a turn ended if it did not end as usual, and what it has used. */
  #report(answer: unknown): void {
    const { sink, profile } = this.#options;
    const stopReason = isObject(answer) ? answer['stopReason'] : undefined;
    const usage = profile.readUsage(answer, 0, undefined);
    if (usage !== undefined && usage.total > 0)
      sink.spend({ tokens: usage.total, costUsd: knownUsd(estimateCost(usage)) });
    const [model] = Object.keys(usage?.models ?? {});
    if (model !== undefined) sink.update({ model }, 'agent');
    const message = describeStop(stopReason, this.#hasUpdate);
    if (message !== undefined) sink.add({ type: 'notice', level: 'warning', message }, 'agent');
  }

  #fail(error: unknown): void {
    if (!(error instanceof RpcCallError)) throw error;
    const { failure } = error;
    const message =
      failure.kind === 'closed'
        ? 'The process of the agent has ended'
        : (this.#options.profile.judgeRpcError(failure.error).message ?? error.message);
    this.#options.sink.add({ type: 'notice', level: 'error', message }, 'agent');
  }

  #requireLive(): LiveSession {
    if (this.#live === undefined) throw refusal('The session has ended');
    return this.#live;
  }
}

function describeStop(stopReason: unknown, hasUpdate: boolean): string | undefined {
  switch (stopReason) {
    case 'cancelled':
      return 'The turn was interrupted';
    case 'max_tokens':
      return 'The conversation is too long for the model';
    case 'max_turn_requests':
      return 'The agent stopped: it repeated itself, or reached its limit of turns';
    case 'refusal':
      return 'The model refused to answer';
    case 'end_turn':
      return hasUpdate ? undefined : 'The model gave no usable answer';
    default:
      return undefined;
  }
}
