import type { OpenAgentSession } from '../agents/driver.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { TurnExit, Verdict } from '../agents/verdict/verdict.js';
import type { GenerateContext } from '../api/response-provider.js';
import type { StepOutput } from '../api/result.js';
import type { PromptRequest } from './prompt/prepare-prompt.js';

/** One call of a provider. */
export interface Step {
  readonly resolved: ResolvedStep;
  readonly prompt: string;
  readonly context: GenerateContext;
  readonly signal: AbortSignal | undefined;
  readonly openSession: OpenAgentSession;
  /** Where the prompt goes as a message, and not to stdin. */
  readonly protectMessage?: PromptRequest['protectMessage'];
}

/** A step that is judged. */
export interface EvaluatedStep {
  readonly verdict: Verdict;
  readonly output: StepOutput;
  /** Of the last turn; empty where the verdict is not about a turn. */
  readonly exit: TurnExit;
  /** What `expects.json` found. */
  readonly data?: unknown;
}
