import type { AgentEvent } from '../api/agent-event.js';
import type { StepWarning, Usage } from '../api/result.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import type { RecordedEdit } from '../sessions/files/read-session-evidence.js';
import type { AcpFacts } from './acp/acp-facts.js';
import type { TurnFold } from './events/turn-fold.js';
import type { HeadlessFacts } from './headless/headless-facts.js';
import type { ResolvedStep } from './resolve-step.js';
import type { TurnExit } from './verdict/verdict.js';

/** Prompt in the form in which the agent gets it. */
export interface PreparedPrompt {
  /** Text of the prompt; a headless CLI reads it from stdin. */
  readonly text: string;
  readonly warnings: readonly StepWarning[];
  /** Folders outside of the workspace that the CLI must be able to read. */
  readonly moreDirectories: readonly string[];
  /** Path for the variable GEMINI_SYSTEM_MD. */
  readonly systemPromptFile: string | undefined;
}

/** Input of a driver for one turn of a step. */
export interface TurnRequest {
  readonly prompt: PreparedPrompt;
  /** Private folder for the files of this turn. */
  readonly directory: Pick<PrivateDirectory, 'file' | 'clear'>;
  /** Part of the step's `timeout` that earlier turns have used. */
  readonly spentMs: number;
  /** True if another turn may follow: the driver then keeps the session open. */
  readonly mayContinue: boolean;
  /** State that the events of this turn add up to. */
  readonly fold: TurnFold;
  /** Adds an event to `fold` as soon as the driver has it. Returns the event that callers may see. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

interface Findings {
  /** Token counts that the agent itself reported. */
  readonly usage: Usage | undefined;
  /** False if the session file may have more token counts. */
  readonly isUsageComplete: boolean;
  readonly warnings: readonly StepWarning[];
}

export interface HeadlessFindings extends Findings {
  readonly transport: 'headless';
  /** Input of `judgeHeadless`. */
  readonly facts: HeadlessFacts;
}

export interface AcpFindings extends Findings {
  readonly transport: 'acp';
  /** Input of `judgeAcp`. */
  readonly facts: AcpFacts;
}

/** Everything that `evaluateTurn` needs to judge a turn, as plain data, live or from a recording. */
export type TurnFindings = HeadlessFindings | AcpFindings;

/** Traces of a turn that the verdict does not need: timing, exit, edits and files. */
export interface TurnTrace {
  /** Time by `performance.now()` at which the timers of the turn started. */
  readonly startedAtMs: number;
  readonly exit: TurnExit;
  /** File changes that the agent's events describe, with old and new text. */
  readonly edits: readonly RecordedEdit[];
  /** Arguments or requests that started the turn, for the artifacts. */
  readonly call: object;
  /** Paths of error reports that the CLI left in the temp folder. */
  readonly reportFiles: readonly string[];
  /** Last message of the agent as it came over the wire: its result, the response to the prompt, or an error. */
  readonly raw?: unknown;
  /** Version that the agent itself reported. */
  readonly agentVersion?: string | undefined;
}

/** Result of a driver for a finished turn. */
export type TurnOutcome = TurnFindings & TurnTrace;

/** Session of one step with an agent. */
export interface AgentSession {
  prompt(turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome>;
  /** True if another turn can follow in the same session. */
  canContinue(): boolean;
  /** Releases the resources that were kept for another turn. */
  close(): void;
}

/** Opens a session of a driver for one step. */
export type OpenAgentSession = (
  resolved: ResolvedStep,
  signal: AbortSignal | undefined,
) => AgentSession;
