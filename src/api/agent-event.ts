import type { AgentIdentity, OfferedChoice } from './agent-identity.js';
import type { ContentEvent } from './content-event.js';
import type { ProviderErrorData } from './error.js';
import type { EventBase, TextKind } from './event-base.js';
import type { LostAttempt } from './job-report.js';
import type {
  FileAccessEvent,
  FileChangeEvent,
  TerminalEvent,
  UsageUpdateEvent,
} from './progress-event.js';
import type { GenerateResult, Usage } from './result.js';
import type { SessionMessage } from './session.js';
import type { ToolKind } from './tool.js';
import type { ToolCompletionEvent, ToolInvocationEvent, ToolUpdateEvent } from './tool-event.js';

/** The agent's session is open. Emitted once per step, before the first prompt. */
export interface SessionInitEvent extends EventBase {
  readonly type: 'session-init';
  /** Id of the session. Pass it to `resume` to continue the session in another step. */
  readonly sessionId: string;
  /** Model that the session starts with. Absent if the agent does not report one. */
  readonly model?: string | undefined;
  /** Models that the agent offers for `model`. ACP only. */
  readonly models?: readonly OfferedChoice[] | undefined;
  /** What the agent told of itself in the handshake. ACP only. */
  readonly agent?: AgentIdentity | undefined;
}

/** A prompt that the agent gets: that of the step, and one for each repair. */
export interface UserInputEvent extends EventBase {
  readonly type: 'user-input';
  /** The prompt, as the agent gets it. */
  readonly text: string;
  /** True for an earlier prompt that the agent repeats when a session is resumed. */
  readonly isSynthetic: boolean;
}

/** A whole message of the model. */
export interface TextEvent extends EventBase {
  readonly type: 'text';
  /** The whole message. */
  readonly text: string;
  /** Kind of the text. `result.text` contains the kind `text` alone. */
  readonly textKind: TextKind;
  /** Id of the tool call that runs the sub-agent whose text it is. `result.text` does not contain such a text. */
  readonly parentCallId?: string | undefined;
}

/** A piece of a message that the model is still writing. */
export interface TextDeltaEvent extends EventBase {
  readonly type: 'text-delta';
  /** The new piece. The pieces in a row are the message. */
  readonly text: string;
  /** Kind of the text. `result.text` contains the kind `text` alone. */
  readonly textKind: TextKind;
  /** Id of the tool call that runs the sub-agent whose text it is. `result.text` does not contain such a text. */
  readonly parentCallId?: string | undefined;
}

/** An answer that the agent offers for a permission request. */
export interface PermissionOption {
  /** Id of the option on the wire. */
  readonly optionId: string;
  /** Label of the option for display. */
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
  readonly kind: string;
}

/** Answer to a permission request. `cancel` ends the turn; the other answers apply to this request. */
export type PermissionDecision = 'allow_once' | 'allow_always' | 'reject' | 'cancel';

/** The agent asked for a permission and got its answer. ACP only. */
export interface PermissionRequestEvent extends EventBase {
  readonly type: 'permission-request';
  /** Id of the request. */
  readonly requestId: string;
  /** Name of the tool, as the agent calls it. */
  readonly toolName: string;
  /** Kind of the tool in the Agent Client Protocol. */
  readonly kind: ToolKind;
  /** Arguments of the tool call, as far as the agent reports them. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Id of the tool call that needs the permission. */
  readonly callId?: string | undefined;
  /** Title of the call for display. */
  readonly title?: string | undefined;
  /** Answers that the agent offers. */
  readonly options: readonly PermissionOption[];
  /** Answer that was given, by the rules or by `onPermission`. */
  readonly decision: PermissionDecision;
  /** Id of the option that was chosen. Absent if the answer was `cancelled`. */
  readonly optionId?: string | undefined;
}

/** The agent shows its plan. ACP only. */
export interface PlanEvent extends EventBase {
  readonly type: 'plan';
  /** Entries of the plan, as they came over the wire. */
  readonly entries: readonly unknown[];
}

/** The agent reports the options of its session: at the beginning, and after each change. ACP only. */
export interface ConfigOptionsEvent extends EventBase {
  readonly type: 'config-options';
  /** Options, as they came over the wire. */
  readonly options: readonly unknown[];
}

/** The agent reports its slash commands. ACP only. */
export interface AvailableCommandsEvent extends EventBase {
  readonly type: 'available-commands';
  /** Commands, as they came over the wire. */
  readonly commands: readonly unknown[];
}

/** The session mode: at the beginning, and after each change. ACP only. */
export interface SessionModeEvent extends EventBase {
  readonly type: 'session-mode';
  /** Id of the mode, as the agent names it. */
  readonly modeId: string;
  /** Modes that the agent offers. Present in the first event. */
  readonly modes?: readonly OfferedChoice[] | undefined;
}

/** The agent gave its session a title. ACP only. */
export interface SessionInfoEvent extends EventBase {
  readonly type: 'session-info';
  /** Title of the session. Absent if the agent removed it. */
  readonly title?: string | undefined;
}

/**
 * A remark about the session. `warning` and `error` come from the agent. `retrying` reports that the CLI repeats a
 * failed API request, which can take minutes. The others come from this package. `repairing`: conditions of `expects`
 * failed, and the next turn asks the model to repair them. `waiting`: all slots of the pool are taken, or no worker of the
 * queue has taken the step yet (`waitsFor`); the next event of the step ends the wait.
 */
export interface SessionStatusEvent extends EventBase {
  readonly type: 'session-status';
  /** Kind of the remark. */
  readonly status: 'warning' | 'error' | 'retrying' | 'repairing' | 'waiting';
  /** The remark in words, without secrets. */
  readonly message: string;
  /** Number of the failed API attempt (`retrying`) or of the repair (`repairing`), from 1. */
  readonly attempt?: number | undefined;
  /** Milliseconds that the CLI waits before it repeats the request. */
  readonly delayMs?: number | undefined;
  /** HTTP status of the failed request. */
  readonly httpStatus?: number | undefined;
  /** What a `waiting` step waits for: a worker of the queue, or a slot of the pool. Absent: a slot. */
  readonly waitsFor?: 'queue' | 'slot' | undefined;
  /** True if the agent's process serves several steps: the request that failed may be that of another step. */
  readonly ofProcess?: boolean | undefined;
}

/**
 * A worker has taken the step from a queue. With a second event of this type, the step begins again: the text and the tool
 * calls up to here are void. The worker before was lost, if `lost` names it, or has given the step back. Queues only.
 */
export interface WorkerAssignedEvent extends EventBase {
  readonly type: 'worker-assigned';
  /** Id of the job in the queue. */
  readonly jobId: string;
  /** Name of the worker. */
  readonly worker: string;
  /** Host of the worker. */
  readonly host: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Time in the queue before the worker took the job, in milliseconds. */
  readonly waitMs: number;
  /** Earlier attempts whose workers were lost. Attempts that a worker has given back are not among them. */
  readonly lost: readonly LostAttempt[];
}

/**
 * Messages of this step as the CLI recorded them in its session file. Emitted right before `turn-complete`, with all
 * arguments and token counts. Absent if there is no session file.
 */
export interface SessionMessagesEvent extends EventBase {
  readonly type: 'session-messages';
  /** Messages in the order of the session. */
  readonly messages: readonly SessionMessage[];
}

/** Last event of a step. After a failed step, `stream()` throws its `ProviderError` right after this event. */
export interface TurnCompleteEvent extends EventBase {
  readonly type: 'turn-complete';
  /** `success`, or the code of the error. */
  readonly subtype: string;
  /** True if the step failed. */
  readonly isError: boolean;
  /** Tokens of the whole step, repairs included. Absent if the agent reports none. */
  readonly usage?: Usage | undefined;
  /** Duration of the step in milliseconds. */
  readonly durationMs?: number | undefined;
  /**
   * Last message of the agent, without secrets: headless the `result` event with its statistics, over ACP the response to
   * `session/prompt` with the stop reason, or its error. Absent if none came. Of the last turn, if there were repairs.
   */
  readonly raw?: unknown;
  /** Result of the step, if it succeeded. */
  readonly result?: GenerateResult | undefined;
  /** Error of the step, if it failed. */
  readonly error?: ProviderErrorData | undefined;
}

/** An event of a type that this version does not know, for example from a newer CLI. */
export interface UnknownEvent extends EventBase {
  readonly type: 'unknown';
  /** Message as it came over the wire. */
  readonly raw: unknown;
}

/** Events of a step, in the same form for every agent and transport. `stream()` yields them. */
export type AgentEvent =
  | SessionInitEvent
  | UserInputEvent
  | TextEvent
  | TextDeltaEvent
  | ContentEvent
  | ToolInvocationEvent
  | ToolUpdateEvent
  | ToolCompletionEvent
  | PermissionRequestEvent
  | PlanEvent
  | ConfigOptionsEvent
  | AvailableCommandsEvent
  | SessionModeEvent
  | SessionInfoEvent
  | SessionStatusEvent
  | WorkerAssignedEvent
  | UsageUpdateEvent
  | FileChangeEvent
  | FileAccessEvent
  | TerminalEvent
  | SessionMessagesEvent
  | TurnCompleteEvent
  | UnknownEvent;
