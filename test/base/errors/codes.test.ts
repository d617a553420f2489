import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/base/errors/codes.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';

/** True for codes with which the same step, unchanged, may succeed later. */
const RETRYABLE = {
  INVALID_CONFIG: false,
  INVALID_INPUT: false,
  CLI_NOT_FOUND: false,
  CLI_CONFIG: false,
  AUTH: false,
  UNTRUSTED_WORKSPACE: false,
  SANDBOX: false,
  MODEL_NOT_FOUND: false,
  API_REQUEST: false,
  RATE_LIMITED: true,
  QUOTA_EXHAUSTED: false,
  API_UNAVAILABLE: true,
  NETWORK: true,
  CONTENT_BLOCKED: false,
  EMPTY_RESPONSE: true,
  CONTEXT_OVERFLOW: false,
  TURN_LIMIT: false,
  LOOP_DETECTED: false,
  TOOL_FAILED: false,
  HOOK_STOPPED: false,
  EXPECTATION_FAILED: false,
  TIMEOUT: true,
  CANCELLED: false,
  INCOMPLETE: true,
  PROTOCOL: false,
  UNKNOWN: false,
} as const;

const codes = Object.entries(ERROR_CODES);

describe('the list of error codes', () => {
  it('states for every code if a retry can succeed', () => {
    const retryable = Object.fromEntries(codes.map(([code, facts]) => [code, facts.retryable]));
    expect(retryable).toEqual(RETRYABLE);
  });

  it.each(codes)('has a one-line hint for %s', (_code, { hint }) => {
    expect(hint).toMatch(/^\S.{8,}[.]$/);
  });

  it.each(codes)('names no login command in the hint of %s', (_code, { hint }) => {
    expect(hint).not.toMatch(/auth login|gemini login|\/auth\b/i);
  });

  it.each([
    ['AUTH', 'GEMINI_API_KEY'],
    ['AUTH', 'GOOGLE_GENAI_USE_VERTEXAI'],
    ['AUTH', 'security.auth.selectedType'],
    ['UNTRUSTED_WORKSPACE', 'trustWorkspace'],
    ['CLI_NOT_FOUND', 'npm install @google/gemini-cli'],
    ['CLI_NOT_FOUND', 'GEMINI_CLI_PATH'],
    ['SANDBOX', '`sandbox`'],
    ['MODEL_NOT_FOUND', '`model`'],
    ['RATE_LIMITED', 'retryAfterMs'],
    ['TURN_LIMIT', 'model.maxSessionTurns'],
    ['TIMEOUT', '`idleTimeout`'],
    ['PROTOCOL', '`cliPath`'],
  ] as const)('names in the hint of %s the setting %s', (code, setting) => {
    expect(ERROR_CODES[code].hint).toContain(setting);
  });

  it('supplies the hint and retryable of an error', () => {
    const error = new ProviderError({ code: 'NETWORK', message: 'lost' });
    expect(error.hint).toBe(ERROR_CODES.NETWORK.hint);
    expect(error.retryable).toBe(true);
  });
});
