import { ProviderError } from '../../base/errors/provider-error.js';

/** The classes of the AI SDK that this folder creates errors with. */
export type AiSdkErrors = Pick<
  typeof import('@ai-sdk/provider'),
  'APICallError' | 'LoadAPIKeyError'
>;

/** Loads the optional peer when a model is first called. Throws INVALID_CONFIG that names the `npm install`. */
export async function loadAiSdk(
  importPackage: () => Promise<AiSdkErrors> = () => import('@ai-sdk/provider'),
): Promise<AiSdkErrors> {
  try {
    const { APICallError, LoadAPIKeyError } = await importPackage();
    return { APICallError, LoadAPIKeyError };
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: 'The AI SDK needs the package @ai-sdk/provider, which cannot be loaded',
      hint: 'Run `npm install ai @ai-sdk/provider` in the project.',
      cause: error,
    });
  }
}
