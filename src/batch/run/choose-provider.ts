import type { BatchOptions } from '../../api/batch-options.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';

/** More in one process wait for each other. */
const STEPS_PER_PROCESS = 8;

export interface ChosenProvider {
  readonly provider: ResponseProvider;
  readonly dispose: () => Promise<void>;
}

/** Warm processes, unless the caller brings a provider. */
export function chooseProvider(
  { provider, config }: BatchOptions,
  { concurrency }: { readonly concurrency: number },
): ChosenProvider {
  if (provider !== undefined) return { provider, dispose: async () => {} };
  const maxProcesses = Math.ceil(concurrency / STEPS_PER_PROCESS);
  const own = new GeminiCliProvider({ transport: 'acp', pool: { maxProcesses }, ...config });
  return { provider: own, dispose: () => own.dispose() };
}
