import type { AgentEvent, PermissionDecision } from '../../api/agent-event.js';
import type { TokenCounts } from '../../api/result.js';
import type { ToolInvocationEvent } from '../../api/tool-event.js';
import { addTokenCounts } from '../../base/usage/token-counts.js';
import type { PathGuard } from '../../config/path-guard.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { ResolvedStep } from '../resolve-step.js';
import { describeCommand, describeWrite } from './client-actions.js';
import { ClientServices } from './client-services.js';
import { GrantedWrites } from './granted-writes.js';
import { type MappedRequest, UpdateMapper } from './map-update.js';
import {
  chooseOption,
  decidePermission,
  decisionOf,
  type PermissionSettings,
} from './permission-policy.js';
import type { AgentProfile } from './profile.js';
import type { SessionListener } from './rpc-call.js';

export interface TurnListenerOptions
  extends Pick<
    ResolvedStep,
    'workingDir' | 'workspaceDirs' | 'env' | 'logger' | 'isolation' | 'assertReachable'
  > {
  readonly config: PermissionSettings & Pick<ResolvedConfig, 'clientFiles' | 'clientTerminals'>;
  /** Protected paths of the step; undefined if nothing is protected. */
  readonly guard?: PathGuard | undefined;
  readonly sessionId: string;
  readonly profile: AgentProfile;
  readonly onEvent: (event: AgentEvent) => void;
  /** Called if a tool was refused and `unattended` is `fail`. */
  readonly onRefusal: (call: MappedRequest['call']) => void;
  /** Called if `onPermission` decided to cancel the step. */
  readonly onCancel: () => void;
}

/** Requests whose answer depends on paths. */
const JUDGED: ReadonlySet<string> = new Set([
  'session/request_permission',
  'fs/write_text_file',
  'terminal/create',
]);
const CANCELLED = { outcome: { outcome: 'cancelled' } };

/** Receives the updates of a session during a turn, and answers the requests of the agent. */
export class TurnListener implements SessionListener {
  readonly #options: TurnListenerOptions;
  readonly #mapper: UpdateMapper;
  readonly #services: ClientServices;
  readonly #writes: GrantedWrites;
  #cancel: () => void = () => {};
  readonly #cancelled = new Promise<'cancel'>((resolve) => {
    this.#cancel = () => resolve('cancel');
  });
  #isCancelled = false;
  /** True until the prompt is sent: a loaded session replays its history, which is not output of this step. */
  #isReplay = true;
  #updates = 0;
  #usage: TokenCounts | undefined;
  #toolCalls = 0;
  #hasRunCommand = false;

  constructor(options: TurnListenerOptions) {
    this.#options = options;
    this.#writes = new GrantedWrites(options.workingDir);
    this.#services = new ClientServices({
      ...options,
      onEvent: (event) => this.#emit(event),
      checkCommand: (command) => this.#checkCommand(command),
      checkWrite: (path) => this.#checkWrite(path),
    });
    this.#mapper = new UpdateMapper(options.profile, (terminalId) => {
      return this.#services.terminalResult(terminalId);
    });
  }

  /** Tokens of this turn that updates have reported. */
  get usage(): TokenCounts | undefined {
    return this.#usage;
  }

  get edits() {
    return this.#mapper.edits;
  }

  /** Files that this process could not write for the agent because the disk is full. */
  get withoutSpace(): readonly string[] {
    return this.#services.withoutSpace;
  }

  /** True if the agent has sent an update or a request since the prompt. */
  get isAccepted(): boolean {
    return this.#updates > 0;
  }

  /** True if a tool call may have started a process that outlives the step. */
  get hasRunCommand(): boolean {
    return this.#hasRunCommand;
  }

  /** True if the prompt of the turn was sent. */
  get isPrompted(): boolean {
    return !this.#isReplay;
  }

  promptSent(): void {
    this.#isReplay = false;
  }

  /**
   * Answers open permission requests with `cancelled`. An agent that waits for such an answer ignores
   * `session/cancel`.
   */
  cancel(): void {
    this.#isCancelled = true;
    this.#cancel();
  }

  async end(): Promise<void> {
    this.cancel();
    await this.#services.close();
  }

  onUpdate(update: unknown): void {
    for (const event of this.#mapper.map(update)) {
      // What an agent tells of its session is no answer: it may have been sent before the prompt arrived.
      if (!this.#isReplay && !isAboutSession(event)) this.#updates++;
      if (!this.#isReplay || isAboutSession(event)) this.#emit(event);
    }
    this.#addUsage(this.#options.profile.readUpdateUsage(update));
  }

  async onRequest(method: string, params: unknown, requestId: string): Promise<unknown> {
    this.#updates++;
    // The rules compare real paths, and a file system that does not answer would stop this process there.
    if (JUDGED.has(method)) await this.#options.assertReachable?.();
    if (method === 'session/request_permission')
      return this.#answer(this.#mapper.readRequest(requestId, params));
    return this.#services.handle(method, params);
  }

  #addUsage(tokens: TokenCounts | undefined): void {
    if (tokens === undefined || this.#isReplay) return;
    this.#usage = addTokenCounts(this.#usage, tokens);
    const usage = { ...this.#usage, models: {}, toolCalls: this.#toolCalls };
    this.#emit({ type: 'usage-update', usage });
  }

  #emit(event: AgentEvent): void {
    if (event.type === 'tool-invocation') this.#toolCalls++;
    if (event.type === 'tool-invocation' && !isAboutFiles(event)) this.#hasRunCommand = true;
    if (this.#services.servesFiles) this.#writes.observe(event);
    this.#options.onEvent(event);
  }

  async #answer(request: MappedRequest | undefined): Promise<object> {
    if (request === undefined) return CANCELLED;
    const answer = await this.#decide(request);
    const option = chooseOption(request.options, answer);
    const given = option === undefined ? 'cancel' : decisionOf(answer, request.options);
    const chosen = { ...request, optionId: option?.optionId };
    if (given === 'reject' || given === 'cancel') this.#refuse(chosen, given);
    else this.#grant(chosen, given);
    if (option === undefined) return CANCELLED;
    return { outcome: { outcome: 'selected', optionId: option.optionId } };
  }

  #grant(request: MappedRequest, decision: PermissionDecision): void {
    for (const event of this.#mapper.mapRequest(request, decision)) this.#emit(event);
    if (this.#services.servesFiles) this.#writes.grant(request, decision);
  }

  #refuse(request: MappedRequest, decision: 'reject' | 'cancel'): void {
    for (const event of this.#mapper.mapRequest(request, decision)) this.#emit(event);
    const { config, onRefusal, onCancel } = this.#options;
    if (decision === 'reject' && config.unattended === 'fail') onRefusal(request.call);
    if (decision === 'cancel' && !this.#isCancelled) onCancel();
  }

  #decide({ call, options, content }: Pick<MappedRequest, 'call' | 'options' | 'content'>) {
    const { sessionId, config, profile, guard, logger } = this.#options;
    const asked = { ...call, title: call.title ?? call.toolName, sessionId, content, options };
    const settings = { ...config, isProtected: guard?.isProtected, logger };
    return Promise.race([decidePermission(asked, settings, profile), this.#cancelled]);
  }

  #checkCommand(command: string): Promise<void> {
    const request = describeCommand(this.#mapper, command);
    return this.#check(request, `The command is not allowed: ${command}`);
  }

  /** Throws if the rules forbid to write the file. All checks of a write through the client are made here. */
  async #checkWrite(path: string): Promise<void> {
    const isProtected = this.#options.guard?.isProtected(path) ?? false;
    if (!isProtected && this.#writes.isGranted(path)) return;
    // The tool call that the write belongs to may name other files, so a protected file is judged by itself.
    const call = isProtected ? undefined : this.#writes.findCall(path);
    await this.#check(describeWrite(this.#mapper, path, call), `Writing ${path} is not allowed`);
  }

  /**
   * Throws if an action of the agent through the client is not allowed. The action needs the same permission as a tool
   * call. Emits the events of a refused call: agents report only the calls that may run.
   */
  async #check(request: MappedRequest | undefined, message: string): Promise<void> {
    const answer = request === undefined ? 'reject' : await this.#decide(request);
    const decision = decisionOf(answer, request?.options ?? []);
    if (decision === 'allow_once' || decision === 'allow_always') return;
    if (request !== undefined) this.#refuse(request, decision);
    throw new Error(message);
  }
}

function isAboutFiles({ category }: ToolInvocationEvent): boolean {
  return category === 'file-read' || category === 'file-write';
}

/** Events that concern a step although they came before its prompt. All others belong to the history of a session. */
const ABOUT_SESSION: ReadonlySet<AgentEvent['type']> = new Set([
  'available-commands',
  'config-options',
  'session-info',
  'session-mode',
  'user-input',
]);

function isAboutSession({ type }: AgentEvent): boolean {
  return ABOUT_SESSION.has(type);
}
