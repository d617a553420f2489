import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import type { ConnectionSettings } from '../queue-settings.js';
import { EMBEDDED, parseStoreUrl } from '../store/store-url.js';

/** Throws INVALID_CONFIG if the worker would have to refuse every job: its store is elsewhere, and it has no secret. */
export function assertSecret({
  url,
  secret,
  allowUnsigned,
}: Pick<ConnectionSettings, 'url' | 'secret' | 'allowUnsigned'>): void {
  if (secret !== undefined || allowUnsigned || url === EMBEDDED) return;
  const address = parseStoreUrl(url, readEnvironment());
  if (address.isLoopback) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The store ${address.shown} is on another machine, and this worker has no secret: the worker would refuse every job`,
    hint: 'Give callers and workers the same `secret` (GEMINI_CLI_PROVIDER_QUEUE_SECRET), or accept unsigned jobs with `allowUnsigned` (`--allow-unsigned`).',
  });
}
