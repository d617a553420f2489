/** Fields that every hook of the CLI gets. */
export interface HookBase {
  /** Name of the event, by which the payloads are told apart. */
  readonly hook_event_name: string;
  /** Id of the CLI's session. */
  readonly session_id: string;
  /** Path of the session file. After a resume, `SessionStart` names a wrong one. */
  readonly transcript_path?: string | undefined;
  /** Working directory of the session. */
  readonly cwd: string;
  /** Time of the event, ISO 8601. */
  readonly timestamp?: string | undefined;
}

/** A session has begun. */
export interface SessionStartHook extends HookBase {
  readonly hook_event_name: 'SessionStart';
  /** `startup`, `resume` or `clear`. */
  readonly source?: string | undefined;
}

/** A session has ended. The CLI sends it two or three times. */
export interface SessionEndHook extends HookBase {
  readonly hook_event_name: 'SessionEnd';
  /** Why the session has ended, such as `exit` or `clear`. */
  readonly reason?: string | undefined;
}

/** The CLI has a prompt and is about to ask the model. */
export interface BeforeAgentHook extends HookBase {
  readonly hook_event_name: 'BeforeAgent';
  /** The prompt. */
  readonly prompt: string;
}

/** The model has answered. Not sent after a refused call or an interrupted tool. */
export interface AfterAgentHook extends HookBase {
  readonly hook_event_name: 'AfterAgent';
  /** The prompt. */
  readonly prompt?: string | undefined;
  /** The answer, or its part if the turn was interrupted. */
  readonly prompt_response?: string | undefined;
}

/** The model calls a tool. The hook may refuse the call. */
export interface BeforeToolHook extends HookBase {
  readonly hook_event_name: 'BeforeTool';
  /** Name of the tool. */
  readonly tool_name: string;
  /** Arguments of the call. */
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** A tool has run. */
export interface AfterToolHook extends HookBase {
  readonly hook_event_name: 'AfterTool';
  /** Name of the tool. */
  readonly tool_name: string;
  /** Arguments of the call. */
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** The CLI is about to show a dialog. It waits for the hook before it does. */
export interface NotificationHook extends HookBase {
  readonly hook_event_name: 'Notification';
  /** `ToolPermission` for a dialog about a tool call. */
  readonly notification_type: string;
  /** What the dialog is about: `type` is `edit`, `exec`, `info` or `ask_user`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Payload of a hook of the interactive CLI. */
export type HookPayload =
  | SessionStartHook
  | SessionEndHook
  | BeforeAgentHook
  | AfterAgentHook
  | BeforeToolHook
  | AfterToolHook
  | NotificationHook;
