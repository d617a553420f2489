import { describe, expect, it } from 'vitest';
import {
  codeOfFatalErrorType,
  codeOfStderr,
  codeOfStreamError,
  isOutOfMemory,
} from '../../../src/agents/verdict/cli-messages.js';
import { loadRecording } from '../../fixtures/recordings.js';

/** Result events of the real CLI: the type of the fatal error, and the expected code. */
const recorded = ['max_turns', 'fatal_no_space'].map((name) => {
  const { stdout, truth } = loadRecording(name);
  const result: { readonly error: { readonly type: string } } = JSON.parse(
    stdout.toString().trimEnd().split('\n').at(-1) ?? '',
  );
  return [result.error.type, truth.code] as const;
});

describe('the type of a fatal error', () => {
  it.each([
    ...recorded,
    // No recording has these types.
    ['FatalAuthenticationError', 'AUTH'],
    ['FatalInputError', 'INVALID_INPUT'],
    ['FatalSandboxError', 'SANDBOX'],
    ['FatalConfigError', 'CLI_CONFIG'],
    ['FatalToolExecutionError', 'TOOL_FAILED'],
    ['FatalUntrustedWorkspaceError', 'UNTRUSTED_WORKSPACE'],
    ['FatalCancellationError', 'CANCELLED'],
    ['INVALID_STREAM', 'EMPTY_RESPONSE'],
  ] as const)('%s means %s', (type, code) => {
    expect(codeOfFatalErrorType(type)).toBe(code);
  });

  it.each(['unknown', 'Error', 'fatalinputerror', 'constructor', ''])(
    'has no code if it is "%s"',
    (type) => {
      expect(codeOfFatalErrorType(type)).toBeUndefined();
    },
  );
});

describe('the wording of an error event', () => {
  it.each([
    ['Loop detected, stopping execution', 'LOOP_DETECTED'],
    ['Maximum session turns exceeded', 'TURN_LIMIT'],
    ['The model response was blocked due to safety settings.', 'CONTENT_BLOCKED'],
    ['The model response was blocked due to recitation/copyright filters.', 'CONTENT_BLOCKED'],
    ['The model response was blocked due to other policy settings.', 'CONTENT_BLOCKED'],
    ['The model returned an empty response with no text or thoughts.', 'EMPTY_RESPONSE'],
    ['The model returned reasoning thoughts but no final response text.', 'EMPTY_RESPONSE'],
    ['Model response was truncated because it exceeded the token limit.', 'EMPTY_RESPONSE'],
    ['Model stream ended without a finish reason.', 'EMPTY_RESPONSE'],
    ['Model stream ended with malformed function call.', 'EMPTY_RESPONSE'],
    ['Model stream ended with unexpected tool call.', 'EMPTY_RESPONSE'],
    ['Invalid stream: the model returned nothing', 'EMPTY_RESPONSE'],
  ] as const)('"%s" means %s', (message, code) => {
    expect(codeOfStreamError(message)).toBe(code);
  });

  it.each(['', 'Agent execution blocked: be careful', 'A message about a Loop detected earlier'])(
    'has no code if it is "%s"',
    (message) => {
      expect(codeOfStreamError(message)).toBeUndefined();
    },
  );
});

describe('the wording of stderr', () => {
  it.each([
    ['Please set an Auth method in your /home/user/.gemini/settings.json', 'AUTH'],
    ['IneligibleTierError: this tier is gone', 'AUTH'],
    ['API key expired. Please renew the API key.', 'AUTH'],
    ['noise\nUsage: gemini [options] [command]\n', 'CLI_CONFIG'],
    ['FatalSandboxError: Sandbox image is missing', 'SANDBOX'],
    ["Missing sandbox command 'podman'", 'SANDBOX'],
    ['Gemini CLI is not running in a trusted directory.', 'UNTRUSTED_WORKSPACE'],
    ['FatalError: x\nError: Directory does not exist: /nope', 'INVALID_INPUT'],
    ['No input provided via stdin.', 'INVALID_INPUT'],
    ['Error resuming session: no such session', 'INVALID_INPUT'],
    ['ModelNotFoundError: models/x is not found', 'MODEL_NOT_FOUND'],
    ['TerminalQuotaError: You have exhausted your daily quota', 'QUOTA_EXHAUSTED'],
    ['RetryableQuotaError: Please retry in 2s', 'RATE_LIMITED'],
  ] as const)('"%s" means %s', (stderr, code) => {
    expect(codeOfStderr(stderr)).toBe(code);
  });

  it('has no code if it has only the noise of a good turn', () => {
    expect(codeOfStderr(loadRecording('success_write').stderr)).toBeUndefined();
  });

  it('has no code if it only mentions the word usage', () => {
    expect(codeOfStderr('Memory Usage: gemini needs 200 MB')).toBeUndefined();
  });
});

describe('the message of a Node that ran out of memory', () => {
  it('is recognised', () => {
    const stderr = 'FATAL ERROR: Reached heap limit - JavaScript heap out of memory';
    expect(isOutOfMemory(stderr)).toBe(true);
    expect(isOutOfMemory('out of luck')).toBe(false);
  });
});
