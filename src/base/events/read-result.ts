import type { AgentEvent } from '../../api/agent-event.js';
import type { GenerateResult } from '../../api/result.js';
import { ProviderError } from '../errors/provider-error.js';

/**
 * Reads the events of a step up to its result. A failed step throws its own error from the stream; a stream that ends without
 * a result is UNKNOWN. `onEvent` sees each event before.
 */
export async function readResult(
  events: AsyncIterable<AgentEvent>,
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<GenerateResult> {
  let generationId: string | undefined;
  for await (const event of events) {
    onEvent(event);
    if (event.type === 'turn-complete' && event.result !== undefined) return event.result;
    generationId = event.generationId;
  }
  const message = 'The step ended without a result';
  throw new ProviderError({ code: 'UNKNOWN', message, generationId });
}
