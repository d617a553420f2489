import type { CostEstimate } from './cost.js';
import type { EventBase } from './event-base.js';
import type { FileChangeKind } from './manifest.js';
import type { Usage } from './result.js';
import type { TerminalResult } from './tool-event.js';

/**
 * Tokens and tool calls of the step so far, emitted while the step runs: whenever the session file of the Gemini CLI, or
 * another agent, has told of further ones. `turn-complete` has the final counts, sub-agents included.
 */
export interface UsageUpdateEvent extends EventBase {
  readonly type: 'usage-update';
  /** Tokens and tool calls of the step so far. */
  readonly usage: Usage;
  /** Estimate of the cost of the step so far, by list price. */
  readonly cost?: CostEstimate | undefined;
}

/**
 * A finished tool call has changed a file, as the agent recorded it. The manifest in `result.files` is the check on the
 * disk, and also has the files that commands have changed.
 */
export interface FileChangeEvent extends EventBase {
  readonly type: 'file-change';
  /** Path relative to the working directory, with forward slashes. */
  readonly path: string;
  /** Change of the file by this tool call. */
  readonly kind: Exclude<FileChangeKind, 'deleted'>;
  /** Id of the tool call. */
  readonly callId: string;
  /** Name of the tool, as the agent calls it. */
  readonly toolName: string;
  /** Unified diff of this tool call. Absent for binary and very large files, and for `unchanged`. */
  readonly diff?: string | undefined;
}

/** The agent has read or written a file through this package (`clientFiles`). ACP only. */
export interface FileAccessEvent extends EventBase {
  readonly type: 'file-access';
  /** What the agent has done. */
  readonly access: 'read' | 'write';
  /** Absolute path of the file. */
  readonly path: string;
}

/** A command that the agent runs through this package (`clientTerminals`) was started or has exited. ACP only. */
export interface TerminalEvent extends EventBase {
  readonly type: 'terminal';
  /** Id of the terminal. A `terminal` block in the content of a tool call has the same id. */
  readonly terminalId: string;
  /** What has happened. */
  readonly state: 'started' | 'exited';
  /** The command with its arguments. */
  readonly command: string;
  /** Output of the command and its exit. Present after the exit. */
  readonly result?: TerminalResult | undefined;
}
