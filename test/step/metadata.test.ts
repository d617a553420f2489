import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/schema.js';
import { GEMINI_CLI_METADATA } from '../../src/step/metadata.js';

describe('the metadata', () => {
  it('says what an engine needs to know', () => {
    expect(GEMINI_CLI_METADATA).toEqual({
      name: 'gemini-cli',
      description: 'Gemini CLI AI agent via subprocess',
      requiresConfig: false,
      configKeys: CONFIG_KEYS,
      defaultResponseTimeout: 600,
      fsAbility: 'local-write',
    });
  });
});
