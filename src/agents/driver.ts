import type { AgentEvent } from '../api/agent-event.js';
import type { StepWarning, Transport, Usage } from '../api/result.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import type { RecordedEdit, SessionEvidence } from '../sessions/files/read-session-evidence.js';
import type { TurnFold } from './events/turn-fold.js';
import type { ResolvedStep } from './resolve-step.js';
import type { StepStopReason, Verdict } from './verdict/verdict.js';

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
  /** Whether there may be another one: the session is to be held for it. */
  readonly mayContinue: boolean;
  /** Sees each event as early as the transport does, and gives what may be handed out. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

/** How the agent's process ended, as far as this run has to do with it. */
export interface TurnExit {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly stderr: string;
  readonly stopReason?: StepStopReason | undefined;
}

/** What a verdict rests on besides the transport's own facts. */
export interface VerdictEvidence {
  readonly fold: TurnFold;
  readonly witness: SessionEvidence | undefined;
  /** Undefined where a history came before the prompt, or files may have been added to it. */
  readonly promptBytes: number | undefined;
  readonly hasHooks: boolean;
}

/** What a transport knows of a turn that is over. */
export interface TurnOutcome {
  readonly transport: Transport;
  /** When its clocks began to run, by `performance.now()`. */
  readonly startedAtMs: number;
  readonly end: TurnExit;
  /** File changes that the wire itself told, with old and new text. */
  readonly edits: readonly RecordedEdit[];
  /** How the agent was called, for the artifacts. */
  readonly call: object;
  /** Error reports that the CLI left in the temp folder. */
  readonly reportFiles: readonly string[];
  /** As the agent itself told it. */
  readonly agentVersion?: string | undefined;
  judge(evidence: VerdictEvidence): Verdict;
  usageOf(witness: SessionEvidence | undefined): Usage | undefined;
  warningsOf(fold: TurnFold): readonly StepWarning[];
}

/** A step's talk with an agent, in one session. */
export interface AgentSession {
  prompt(turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Whether more can be said in the same session. */
  canContinue(): boolean;
  /** Gives back what is held for another turn. */
  close(): void;
}

/** One way of driving an agent through a step. */
export type OpenAgentSession = (
  resolved: ResolvedStep,
  signal: AbortSignal | undefined,
) => AgentSession;
