import type { ProviderConfig } from '../../api/provider-config.js';

/** Returns the variables of the configuration that have a value of their own. */
export function variablesOf({ env = {} }: ProviderConfig): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
