// Pipeline engine in fifty lines. The engine uses the ResponseProvider interface and a registry, and knows nothing of
// Gemini. Each step names a provider and may use the files of the steps before.
import { ProviderError, ProviderRegistry, registerGeminiCli } from 'gemini-cli-provider';

/**
 * @typedef {{ id: string, provider: string, prompt: string, config?: Record<string, unknown> }} Step
 * @typedef {{ id: string, ok: boolean, text: string, files: string[], error?: string }} Outcome
 */

const RETRIES = 2;

/**
 * @param {readonly Step[]} steps
 * @param {string} projectRoot
 * @returns {Promise<Outcome[]>}
 */
export async function runPipeline(steps, projectRoot) {
  const registry = registerGeminiCli(new ProviderRegistry());
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const step of steps) {
    const provider = registry.create(step.provider, step.config);
    try {
      await provider.validate();
      const result = await withRetries(() =>
        provider.generate(step.prompt, { projectRoot, stepId: step.id }),
      );
      outcomes.push({
        id: step.id,
        ok: true,
        text: result.text,
        files: Object.keys(result.filesWritten),
      });
    } catch (error) {
      if (!ProviderError.isInstance(error)) throw error;
      // `partial` has the text and the files of the failed step.
      const { text = '', files = [] } = error.partial ?? {};
      outcomes.push({
        id: step.id,
        ok: false,
        text,
        files: files.map(({ path }) => path),
        error: error.code,
      });
      break;
    } finally {
      await provider.dispose();
    }
  }
  return outcomes;
}

/**
 * @template T
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
async function withRetries(run) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!ProviderError.isInstance(error) || !error.retryable || attempt >= RETRIES) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, error.retryAfterMs ?? 1000 * 2 ** attempt),
      );
    }
  }
}
