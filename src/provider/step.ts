import type { GenerateContext } from '../contract/response-provider.js';
import type { PromptRequest } from '../prompt/prepare-prompt.js';
import type { SettledRun } from './settle-run.js';
import type { Stage } from './stage.js';
import type { RunOverTransport, TransportOutcome } from './transport.js';

/** One call of a provider. */
export interface Step {
  readonly stage: Stage;
  readonly prompt: string;
  readonly context: GenerateContext;
  readonly signal: AbortSignal | undefined;
  readonly runOverTransport: RunOverTransport;
  /** Where the prompt goes as a message, and not to stdin. */
  readonly protectMessage?: PromptRequest['protectMessage'];
}

/** A run that is over and judged. */
export interface ConcludedRun extends SettledRun {
  readonly outcome: TransportOutcome;
}
