import type { ProviderErrorData } from './error.js';
import type { GenerateResult, Usage } from './result.js';
import type { SessionMessage } from './session.js';
import type { ToolCategory, ToolKind } from './tool.js';

interface EventBase {
  /** When the agent says it happened, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** What came over the wire, unknown fields included. */
  readonly raw?: unknown;
}

export type TextKind = 'text' | 'thinking' | 'plan';

export interface SessionInitEvent extends EventBase {
  readonly type: 'session-init';
  readonly sessionId: string;
  readonly model?: string | undefined;
}

export interface UserInputEvent extends EventBase {
  readonly type: 'user-input';
  readonly text: string;
  /** True for a turn of an earlier run that is shown again. */
  readonly isSynthetic: boolean;
}

/** A whole message. */
export interface TextEvent extends EventBase {
  readonly type: 'text';
  readonly text: string;
  readonly textKind: TextKind;
}

/** A piece of a message that is still being written. */
export interface TextDeltaEvent extends EventBase {
  readonly type: 'text-delta';
  readonly text: string;
  readonly textKind: TextKind;
}

export interface ToolInvocationEvent extends EventBase {
  readonly type: 'tool-invocation';
  readonly callId: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly category: ToolCategory;
  readonly title?: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  /** Paths the call names, as the model wrote them. */
  readonly locations?: readonly string[] | undefined;
}

/** Meaning that the wire does not carry and that was worked out from the pair of call and result. */
export interface DerivedToolMeaning {
  /** Output of `run_shell_command`. Its exit status is not on the wire. */
  readonly commandOutput?: string | undefined;
  /** A file that `write_file` or `replace` reports as written. */
  readonly mutation?: { readonly tool: string; readonly path: string } | undefined;
  /** The output, where it has the form of a unified diff. */
  readonly diff?: string | undefined;
}

/** What a tool has to show besides its output. Headless runs have none of it. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'diff';
      readonly path: string;
      /** `null`: there was no such file. */
      readonly oldText: string | null;
      readonly newText: string;
    }
  | { readonly type: 'terminal'; readonly terminalId: string }
  | { readonly type: 'other'; readonly raw: unknown };

export interface ToolCompletionEvent extends EventBase {
  readonly type: 'tool-completion';
  readonly callId: string;
  /** From the invocation with the same `callId`; the result itself carries no name. */
  readonly toolName: string | undefined;
  readonly kind: ToolKind;
  readonly category: ToolCategory;
  readonly status: 'completed' | 'failed';
  readonly isError: boolean;
  readonly output?: string | undefined;
  readonly content?: readonly ToolContent[] | undefined;
  readonly error?: { readonly type: string; readonly message: string } | undefined;
  readonly derived?: DerivedToolMeaning | undefined;
}

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
  readonly kind: string;
}

/** `cancel` ends the turn; the others answer this one request. */
export type PermissionDecision = 'allow_once' | 'allow_always' | 'reject' | 'cancel';

export interface PermissionRequestEvent extends EventBase {
  readonly type: 'permission-request';
  readonly requestId: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId?: string | undefined;
  readonly title?: string | undefined;
  /** What the agent lets one choose from. */
  readonly options: readonly PermissionOption[];
  /** What was answered. */
  readonly decision: PermissionDecision;
}

export interface PlanEvent extends EventBase {
  readonly type: 'plan';
  readonly entries: readonly unknown[];
}

export interface ConfigOptionsEvent extends EventBase {
  readonly type: 'config-options';
  readonly options: readonly unknown[];
}

export interface AvailableCommandsEvent extends EventBase {
  readonly type: 'available-commands';
  readonly commands: readonly unknown[];
}

export interface SessionModeEvent extends EventBase {
  readonly type: 'session-mode';
  readonly modeId: string;
}

/**
 * The agent's own remarks: warnings, errors, and retries that would otherwise be minutes of silence. `repairing` is
 * ours: what was expected is not there, and the next turn is to mend it.
 */
export interface SessionStatusEvent extends EventBase {
  readonly type: 'session-status';
  readonly status: 'warning' | 'error' | 'retrying' | 'repairing';
  readonly message: string;
  readonly attempt?: number | undefined;
  readonly delayMs?: number | undefined;
  readonly httpStatus?: number | undefined;
}

/** What the CLI has recorded of this run in its session file, right before the end: exact to the last argument. */
export interface SessionMessagesEvent extends EventBase {
  readonly type: 'session-messages';
  readonly messages: readonly SessionMessage[];
}

/** Always the last event. A failed run throws its `ProviderError` right after it. */
export interface TurnCompleteEvent extends EventBase {
  readonly type: 'turn-complete';
  /** `success`, or the error's code. */
  readonly subtype: string;
  readonly isError: boolean;
  readonly usage?: Usage | undefined;
  readonly durationMs?: number | undefined;
  readonly result?: GenerateResult | undefined;
  readonly error?: ProviderErrorData | undefined;
}

/** An event of a newer CLI. */
export interface UnknownEvent extends EventBase {
  readonly type: 'unknown';
  readonly raw: unknown;
}

/** What an agent does while it runs, whichever way it is driven. */
export type AgentEvent =
  | SessionInitEvent
  | UserInputEvent
  | TextEvent
  | TextDeltaEvent
  | ToolInvocationEvent
  | ToolCompletionEvent
  | PermissionRequestEvent
  | PlanEvent
  | ConfigOptionsEvent
  | AvailableCommandsEvent
  | SessionModeEvent
  | SessionStatusEvent
  | SessionMessagesEvent
  | TurnCompleteEvent
  | UnknownEvent;
