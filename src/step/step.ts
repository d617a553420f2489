import type { OpenAgentSession } from '../agents/driver.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { TurnExit, Verdict } from '../agents/verdict/verdict.js';
import type { GenerateContext } from '../api/response-provider.js';
import type { StepOutput } from '../api/result.js';
import type { PromptRequest } from './prompt/prepare-prompt.js';
import type { RemoteWorkspace } from './remote-workspace.js';

/** Input of one `generate()`: the resolved configuration, the prompt and the driver. */
export interface Step {
  readonly resolved: ResolvedStep;
  readonly prompt: string;
  readonly context: GenerateContext;
  readonly signal: AbortSignal | undefined;
  readonly openSession: OpenAgentSession;
  /** Set if the workspace lies on a remote file system. */
  readonly remote?: RemoteWorkspace | undefined;
  /**
   * Moves the session to the project of the caller after the last turn. `isFinal` is false if the agent may still create
   * a session for the step. Further calls do nothing.
   */
  readonly settleSession?: ((isFinal: boolean) => Promise<void>) | undefined;
  /** Set if the agent gets its prompts as ACP messages instead of on stdin. */
  readonly protectMessage?: PromptRequest['protectMessage'];
}

/** Verdict on a step, with its output. */
export interface EvaluatedStep {
  readonly verdict: Verdict;
  readonly output: StepOutput;
  /** Exit of the last turn; empty if the verdict is not about a turn. */
  readonly exit: TurnExit;
  /** Last message of the agent in its last turn, as it came over the wire. */
  readonly raw?: unknown;
  /** JSON that `expects.json` found in the answer. */
  readonly data?: unknown;
}
