// A node of LangGraph.js that runs a step. `writer` streams every event (streamMode "custom"), the signal of the graph cancels
// the step, and LangGraph repeats what may succeed later.
import { ProviderError } from 'gemini-cli-provider';

/** @param {import('gemini-cli-provider').ResponseProvider} provider */
export function createGeminiNode(provider) {
  /** @param {{ prompt: string }} state @param {{ signal?: AbortSignal, writer?: (event: object) => void }} config */
  return async (state, { signal, writer }) => {
    for await (const event of provider.stream(state.prompt, {}, { signal })) {
      writer?.(event);
      if (event.type === 'turn-complete' && event.result !== undefined)
        return { text: event.result.text, files: event.result.files };
    }
    throw new Error('The step ended without a result');
  };
}

/** Third argument of `addNode`. A step that has written files is not repeated: `partial` in its error has them. */
export const RETRY_POLICY = {
  retryPolicy: {
    maxAttempts: 3,
    /** @param {unknown} error */
    retryOn: (error) =>
      ProviderError.isInstance(error) && error.retryable && !error.partial?.files.length,
  },
};
