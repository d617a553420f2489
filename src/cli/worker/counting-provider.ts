import type { AgentEvent } from '../../api/agent-event.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';

/** Provider of a worker, which shows its events to a listener. */
export class CountingProvider extends GeminiCliProvider {
  readonly #onEvent: (event: AgentEvent) => void;

  constructor(
    config: ConstructorParameters<typeof GeminiCliProvider>[0],
    onEvent: (event: AgentEvent) => void,
  ) {
    super(config);
    this.#onEvent = onEvent;
  }

  override async *stream(
    ...args: Parameters<GeminiCliProvider['stream']>
  ): AsyncGenerator<AgentEvent, void> {
    for await (const event of super.stream(...args)) {
      this.#onEvent(event);
      yield event;
    }
  }
}
