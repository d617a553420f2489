import type { AgentEvent } from '../../api/agent-event.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import type { QueuedProviderOptions } from '../../queue/provider/queued-provider-options.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';
import { type ReadConfigOptions, readConfig } from '../config/read-config.js';
import { type CallerFlags, readCallerOptions } from '../queue/queue-flags.js';
import { type PromptFlags, readPrompt } from './read-prompt.js';

export interface StepFlags extends CallerFlags, PromptFlags, Record<string, unknown> {}

export interface StreamStepOptions extends Pick<ReadConfigOptions, 'announce'> {
  readonly say: (line: string) => void;
  /** Wraps the provider, for telemetry. */
  readonly wrap?: ((provider: ResponseProvider) => Promise<ResponseProvider>) | undefined;
}

/** Streams the events of the step of a command line. The last event is `turn-complete`, however early the step fails. */
export async function* streamStep(
  prompt: string | undefined,
  flags: StepFlags,
  signal: AbortSignal,
  { say, announce, wrap }: StreamStepOptions,
): AsyncGenerator<AgentEvent, void> {
  let isOver = false;
  try {
    const queue = readCallerOptions(flags, readEnvironment());
    const config = await readConfig(flags, { say, announce });
    await using opened = await openProvider(queue, config, say);
    const provider = (await wrap?.(opened)) ?? opened;
    const { text, ...context } = await readPrompt(prompt, flags, process.stdin, { signal, say });
    for await (const event of provider.stream(text, context, { signal })) {
      isOver = event.type === 'turn-complete';
      yield event;
    }
  } catch (error) {
    if (!isOver && ProviderError.isInstance(error)) yield describeEnd(error);
    throw error;
  }
}

/** Opens the provider of this machine, or the one in front of a queue, which is loaded only then. */
async function openProvider(
  queue: QueuedProviderOptions | undefined,
  config: Record<string, unknown>,
  say: (line: string) => void,
): Promise<ResponseProvider> {
  if (queue === undefined) return new GeminiCliProvider(config);
  const { QueuedSteps } = await import('../queue/queued-steps.js');
  return new QueuedSteps(queue, config, say);
}

function describeEnd(error: ProviderError): AgentEvent {
  const { code, generationId } = error;
  return {
    type: 'turn-complete',
    generationId,
    subtype: code,
    isError: true,
    error: error.toJSON(),
  };
}
