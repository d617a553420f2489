import type { AgentEvent } from '../api/agent-event.js';
import type { RunWarning, Transport, Usage } from '../api/result.js';
import type { OwnEnd, Verdict } from './verdict/verdict.js';
import type { RunFold } from './events/run-fold.js';
import type { RunDirectory } from '../base/process/run-directory.js';
import type { PreparedPrompt } from '../step/prompt/prepare-prompt.js';
import type { RecordedEdit, RunWitness } from '../sessions/files/run-witness.js';
import type { Stage } from './stage.js';

/** One prompt of a step. */
export interface TurnRequest {
  readonly prompt: PreparedPrompt;
  /** For the files of this turn. */
  readonly directory: Pick<RunDirectory, 'file' | 'clear'>;
  /** How much of the time for the whole step is gone already. */
  readonly spentMs: number;
  /** Whether there may be another one: the session is to be held for it. */
  readonly mayGoOn: boolean;
  /** Sees each event as early as the transport does, and gives what may be handed out. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

/** How the agent's process ended, as far as this run has to do with it. */
export interface RunEnd {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly stderr: string;
  readonly ownEnd?: OwnEnd | undefined;
}

/** What a verdict rests on besides the transport's own facts. */
export interface Evidence {
  readonly fold: RunFold;
  readonly witness: RunWitness | undefined;
  /** Undefined where a history came before the prompt, or files may have been added to it. */
  readonly promptBytes: number | undefined;
  readonly hasHooks: boolean;
}

/** What a transport knows of a turn that is over. */
export interface TransportOutcome {
  readonly transport: Transport;
  /** When its clocks began to run, by `performance.now()`. */
  readonly startedAtMs: number;
  readonly end: RunEnd;
  /** File changes that the wire itself told, with old and new text. */
  readonly edits: readonly RecordedEdit[];
  /** How the agent was called, for the artifacts. */
  readonly call: object;
  /** Error reports that the CLI left in the temp folder. */
  readonly reportFiles: readonly string[];
  /** As the agent itself told it. */
  readonly agentVersion?: string | undefined;
  judge(evidence: Evidence): Verdict;
  usageOf(witness: RunWitness | undefined): Usage | undefined;
  warningsOf(fold: RunFold): readonly RunWarning[];
}

/** A step's talk with an agent, in one session. */
export interface Conversation {
  say(turn: TurnRequest): AsyncGenerator<AgentEvent, TransportOutcome>;
  /** Whether more can be said in the same session. */
  canGoOn(): boolean;
  /** Gives back what is held for another turn. */
  close(): void;
}

/** One way of driving an agent through a step. */
export type OpenConversation = (stage: Stage, signal: AbortSignal | undefined) => Conversation;
