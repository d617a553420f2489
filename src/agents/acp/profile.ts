import type { OfferedChoice } from '../../api/agent-identity.js';
import type { ErrorCode } from '../../api/error.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import type { StepWarning, TokenCounts, Usage } from '../../api/result.js';
import type { ToolCategory, ToolKind } from '../../api/tool.js';
import type { Failure } from '../verdict/verdict.js';
import type { WireToolCall } from './acp-wire.js';
import type { ClientReport, FailedTurn } from './client-reports.js';

/** Error response of the agent. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Stop reason and output of a turn, for the verdict. */
export interface TurnSummary {
  readonly acpStopReason: string;
  readonly usage: Usage | undefined;
  /** True if the agent sent text after its last tool call. */
  readonly hasAnswer: boolean;
  readonly toolCalls: number;
}

/** Everything that differs between agents. All assumptions about an agent are in its profile. */
export interface AgentProfile {
  readonly name: string;
  /** Hints that replace the hints for the Gemini CLI. */
  readonly hints: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Returns the id of the session mode for this approval mode, if the agent offers one. */
  findMode(mode: ApprovalMode, offered: readonly string[]): string | undefined;
  /** Returns the id of the model with this name, or the name itself, which the agent then accepts or refuses. */
  findModel(model: string, offered: readonly OfferedChoice[]): string;
  toolName(call: WireToolCall): string;
  /** Returns the arguments of a call, as far as the update contains them. */
  toolInput(name: string, call: WireToolCall): Readonly<Record<string, unknown>>;
  toolKind(name: string, kind: string | null | undefined): ToolKind;
  toolCategory(name: string, kind: ToolKind): ToolCategory;
  /**
   * True if the agent applies rules for the first words of a command itself. A command that it still asks for is
   * not allowed by them.
   */
  readonly holdsCommandRules: boolean;
  /** True if the agent asks for each edit in the mode `auto_edit`, because this package sets a stricter mode. */
  readonly asksForEdits: boolean;
  /** Returns true if this approval mode allows the tool without a rule. */
  isAllowedByMode(mode: ApprovalMode, tool: string, kind: ToolKind): boolean;
  /** True if each thought comes in one piece. Other agents send thoughts in pieces, as they send text. */
  readonly sendsWholeThoughts: boolean;
  /** Returns true for text that the agent sends as an answer although it is a status message. */
  isNoise(text: string): boolean;
  protectPrompt(text: string): { readonly text: string; readonly warnings: readonly StepWarning[] };
  /** True if the agent reads a file before it creates it, and fails if the file is missing. */
  readonly takesMissingFileForError: boolean;
  /** Reads the tokens of one request to the model from an update. Some agents send them during the turn. */
  readUpdateUsage(update: unknown): TokenCounts | undefined;
  /** Reads the tokens of the turn from its answer. Falls back to the tokens that updates reported. */
  readUsage(
    promptResponse: unknown,
    toolCalls: number,
    streamedUsage: TokenCounts | undefined,
  ): Usage | undefined;
  judgeTurn(end: TurnSummary): Failure | undefined;
  /** Judges an error response. `errorType` is the class of the error, if a report of the agent names it. */
  judgeRpcError(error: RpcError, errorType?: string): Failure;
  /** Finds files outside of the workspace in which the agent reported the failure. */
  findReports(turn: FailedTurn): Promise<readonly ClientReport[]>;
  /** Returns the error code for an exit before the handshake was complete, if the exit code or stderr show it. */
  codeOfEarlyExit(exitCode: number, stderr: string): ErrorCode | undefined;
}
