import type { ProviderConfig } from '../../api/provider-config.js';
import type { ContextKeys, ResponseProvider } from '../../api/response-provider.js';

/**
 * Options of one call, as `providerOptions['gemini-cli']`: every option of a step but `model`, and the keys of its context.
 * Check a literal with `satisfies GeminiCliCallOptions`, because the AI SDK itself takes any JSON there.
 */
export interface GeminiCliCallOptions extends Omit<ProviderConfig, 'model'>, ContextKeys {
  /**
   * Further values of the context, for providers that read them.
   *
   * @defaultValue `{}`
   */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of `createGeminiCli`: a provider, and defaults of all calls. */
export interface CreateGeminiCliOptions extends GeminiCliCallOptions {
  /**
   * Provider that runs the steps. The caller disposes of it.
   *
   * @defaultValue a `GeminiCliProvider` with warm processes (`transport: 'acp'`), which `dispose()` ends
   */
  readonly provider?: ResponseProvider | undefined;
}
