import type { GenerateContext } from '../api/response-provider.js';
import type { RunOutput } from '../api/result.js';
import type { Verdict } from '../agents/verdict/verdict.js';
import type { PromptRequest } from './prompt/prepare-prompt.js';
import type { Stage } from '../agents/stage.js';
import type { OpenConversation, RunEnd } from '../agents/transport.js';

/** One call of a provider. */
export interface Step {
  readonly stage: Stage;
  readonly prompt: string;
  readonly context: GenerateContext;
  readonly signal: AbortSignal | undefined;
  readonly openConversation: OpenConversation;
  /** Where the prompt goes as a message, and not to stdin. */
  readonly protectMessage?: PromptRequest['protectMessage'];
}

/** A run that is judged. */
export interface SettledRun {
  readonly verdict: Verdict;
  readonly output: RunOutput;
  /** Of the last turn; without a word where the verdict is not about a turn. */
  readonly end: RunEnd;
  /** What `expects.json` found. */
  readonly data?: unknown;
}
