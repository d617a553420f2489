import { ProviderError } from '../../base/errors/provider-error.js';
import type { ResolvedStep } from '../resolve-step.js';

/** Over ACP the CLI 0.61 works in any folder; a headless run would be refused, and so is this one. */
export function assertTrusted({ cliSettings }: ResolvedStep): void {
  if (cliSettings === undefined || cliSettings.trust.isTrusted || !cliSettings.trust.isRefused)
    return;
  throw new ProviderError({ code: 'UNTRUSTED_WORKSPACE', message: cliSettings.trust.message });
}
