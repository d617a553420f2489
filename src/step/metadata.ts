import type { ProviderMetadata } from '../api/response-provider.js';
import { DEFAULT_TIMEOUT_SECONDS } from '../config/resolve-config.js';
import { CONFIG_KEYS } from '../config/schema.js';

export const GEMINI_CLI_METADATA: ProviderMetadata = {
  name: 'gemini-cli',
  description: 'Gemini CLI AI agent via subprocess',
  requiresConfig: false,
  configKeys: CONFIG_KEYS,
  defaultResponseTimeout: DEFAULT_TIMEOUT_SECONDS,
  fsAbility: 'local-write',
};
