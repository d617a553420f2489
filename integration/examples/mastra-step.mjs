// A step of a Mastra workflow. `createStep(createGeminiStep(provider))` of @mastra/core/workflows takes it.
import { z } from 'zod';

const file = z.object({ path: z.string(), kind: z.string(), bytes: z.number() });

/** @param {import('gemini-cli-provider').ResponseProvider} provider */
export function createGeminiStep(provider) {
  return {
    id: 'gemini',
    inputSchema: z.object({ prompt: z.string() }),
    outputSchema: z.object({
      text: z.string(),
      files: z.array(file),
      sessionId: z.string().optional(),
    }),
    // Mastra repeats every error, also those that cannot succeed. A retry is the business of the workflow.
    retries: 0,
    /** @param {{ inputData: { prompt: string }, abortSignal?: AbortSignal, writer?: { write(chunk: object): Promise<void> } }} call */
    execute: async ({ inputData, abortSignal, writer }) => {
      const options = abortSignal === undefined ? {} : { signal: abortSignal };
      for await (const event of provider.stream(inputData.prompt, {}, options)) {
        await writer?.write({ type: event.type });
        if (event.type !== 'turn-complete' || event.result === undefined) continue;
        const { text, files, sessionId } = event.result;
        return {
          text,
          files: files.map(({ path, kind, bytes }) => ({ path, kind, bytes })),
          sessionId,
        };
      }
      throw new Error('The step ended without a result');
    },
  };
}
