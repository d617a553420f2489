import type { ErrorCode } from '../../api/error.js';
import type { StepWarning, TokenCounts, Usage } from '../../api/result.js';
import type { ToolCategory, ToolKind } from '../../api/tool.js';
import type { ApprovalMode } from '../../config/provider-config.js';
import type { Failure } from '../verdict/verdict.js';
import type { WireToolCall } from './acp-wire.js';
import type { FailedTurn } from './client-reports.js';
import type { Offered } from './session-options.js';

/** An error that the agent answered with. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What is said of a turn by its own stop reason and by what it has produced. */
export interface TurnSummary {
  readonly acpStopReason: string;
  readonly usage: Usage | undefined;
  /** Whether the agent said anything after its last tool call. */
  readonly hasAnswer: boolean;
  readonly toolCalls: number;
}

/** Everything that differs from agent to agent. All assumptions about one agent live in its profile. */
export interface AgentProfile {
  readonly name: string;
  /** What to do, where it is not what helps with the Gemini CLI. */
  readonly hints: Readonly<Partial<Record<ErrorCode, string>>>;
  /** The id of the session mode that stands for this approval mode, if the agent offers one. */
  findMode(mode: ApprovalMode, offered: readonly string[]): string | undefined;
  /** The id of the model of this name; the name itself where the agent is to judge. */
  findModel(model: string, offered: readonly Offered[]): string;
  toolName(call: WireToolCall): string;
  /** The arguments of a call, as far as the update tells them. */
  toolInput(name: string, call: WireToolCall): Readonly<Record<string, unknown>>;
  toolKind(name: string, kind: string | null | undefined): ToolKind;
  toolCategory(name: string, kind: ToolKind): ToolCategory;
  /** Rules for the first words of a command are held by the agent itself: who still asks is not covered. */
  readonly holdsCommandRules: boolean;
  /** Whether this approval mode allows the tool without a rule of its own. */
  isAllowedByMode(mode: ApprovalMode, tool: string, kind: ToolKind): boolean;
  /** Text that the agent puts among its answers although it is none. */
  isNoise(text: string): boolean;
  protectPrompt(text: string): { readonly text: string; readonly warnings: readonly StepWarning[] };
  /** Reads a file before it makes it, and fails if it is told that there is none. */
  readonly takesMissingFileForError: boolean;
  /** Tokens of one request to the model, from agents that tell them on the way. */
  readUpdateUsage(update: unknown): TokenCounts | undefined;
  /** Tokens of the turn: as its answer tells them, else as they were told on the way. */
  readUsage(
    promptResponse: unknown,
    toolCalls: number,
    toldOnTheWay: TokenCounts | undefined,
  ): Usage | undefined;
  judgeTurn(end: TurnSummary): Failure | undefined;
  judgeRpcError(error: RpcError): Failure;
  /** Files outside of the workspace in which it has written down what went wrong. */
  findReports(turn: FailedTurn): Promise<readonly string[]>;
  /** Why the process has gone before it had introduced itself, if that can be told. */
  codeOfEarlyExit(exitCode: number, stderr: string): ErrorCode | undefined;
}
