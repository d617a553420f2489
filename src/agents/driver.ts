import type { AgentEvent } from '../api/agent-event.js';
import type { StepWarning, Usage } from '../api/result.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import type { RecordedEdit } from '../sessions/files/read-session-evidence.js';
import type { AcpFacts } from './acp/acp-facts.js';
import type { TurnFold } from './events/turn-fold.js';
import type { HeadlessFacts } from './headless/headless-facts.js';
import type { ResolvedStep } from './resolve-step.js';
import type { TurnExit } from './verdict/verdict.js';

/** A prompt as the agent gets it. */
export interface PreparedPrompt {
  /** What goes to stdin. */
  readonly text: string;
  readonly warnings: readonly StepWarning[];
  /** Folders that the CLI must be able to read beside the workspace. */
  readonly moreDirectories: readonly string[];
  /** For GEMINI_SYSTEM_MD. */
  readonly systemPromptFile: string | undefined;
}

/** One prompt of a step. */
export interface TurnRequest {
  readonly prompt: PreparedPrompt;
  /** For the files of this turn. */
  readonly directory: Pick<PrivateDirectory, 'file' | 'clear'>;
  /** How much of the time for the whole step is gone already. */
  readonly spentMs: number;
  /** True where another turn may follow: the driver then holds the session for it. */
  readonly mayContinue: boolean;
  /** What the events of this turn have shown so far. */
  readonly fold: TurnFold;
  /** Takes each event into `fold` as early as the driver has it, and returns what may be handed out. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

interface Findings {
  /** As the agent reported it. */
  readonly usage: Usage | undefined;
  /** False where the session file may know more tokens. */
  readonly isUsageComplete: boolean;
  readonly warnings: readonly StepWarning[];
}

export interface HeadlessFindings extends Findings {
  readonly transport: 'headless';
  /** For `judgeHeadless`. */
  readonly facts: HeadlessFacts;
}

export interface AcpFindings extends Findings {
  readonly transport: 'acp';
  /** For `judgeAcp`. */
  readonly facts: AcpFacts;
}

/** What a turn has shown, as data: enough for `evaluateTurn` to judge it, live or from a recording. */
export type TurnFindings = HeadlessFindings | AcpFindings;

/** What is left of a turn besides its findings. */
export interface TurnTrace {
  /** When its clocks began to run, by `performance.now()`. */
  readonly startedAtMs: number;
  readonly exit: TurnExit;
  /** File changes that the wire itself told, with old and new text. */
  readonly edits: readonly RecordedEdit[];
  /** How the agent was called, for the artifacts. */
  readonly call: object;
  /** Error reports that the CLI left in the temp folder. */
  readonly reportFiles: readonly string[];
  /** As the agent itself told it. */
  readonly agentVersion?: string | undefined;
}

/** What a driver knows of a turn that is over. */
export type TurnOutcome = TurnFindings & TurnTrace;

/** A step's session with an agent. */
export interface AgentSession {
  prompt(turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Whether another turn can follow in the same session. */
  canContinue(): boolean;
  /** Gives back what is held for another turn. */
  close(): void;
}

/** One way of driving an agent through a step. */
export type OpenAgentSession = (
  resolved: ResolvedStep,
  signal: AbortSignal | undefined,
) => AgentSession;
