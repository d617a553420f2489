// A handler of Restate. `ctx.run` keeps the result of the step, so that a restart of the service does not repeat it. Errors that
// cannot succeed later are terminal.
import * as restate from '@restatedev/restate-sdk';
import { ProviderError } from 'gemini-cli-provider';

/** @param {import('gemini-cli-provider').ResponseProvider} provider */
export function createGeminiService(provider) {
  return restate.service({
    name: 'gemini',
    // A step is silent while the model works: the default of one minute would start it again.
    options: { inactivityTimeout: { minutes: 20 }, abortTimeout: { minutes: 25 } },
    handlers: {
      generate: async (ctx, { prompt, options = {} }) =>
        ctx.run('step', () => runStep(provider, prompt, { ...options, signal: signalOf(ctx) }), {
          maxRetryAttempts: 3,
          initialRetryInterval: 500,
        }),
    },
  });
}

function signalOf(ctx) {
  return ctx.request().attemptCompletedSignal;
}

async function runStep(provider, prompt, options) {
  try {
    const { context: _, ...result } = await provider.generate(prompt, {}, options);
    return JSON.parse(JSON.stringify(result));
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.retryable) throw error;
    const errorCode = error.httpStatus ?? 500;
    throw new restate.TerminalError(`${error.code}: ${error.message}`, { errorCode, cause: error });
  }
}
