import type { ErrorCode } from '../../api/error.js';
import { LOGIN_REFUSED } from './api-failure.js';

/** Values of `result.error.type`: class names of the CLI's fatal errors. */
const FATAL_ERROR_TYPES: ReadonlyMap<string, ErrorCode> = new Map([
  ['FatalAuthenticationError', 'AUTH'],
  ['FatalInputError', 'INVALID_INPUT'],
  ['FatalSandboxError', 'SANDBOX'],
  ['FatalConfigError', 'CLI_CONFIG'],
  ['FatalTurnLimitedError', 'TURN_LIMIT'],
  ['FatalToolExecutionError', 'TOOL_FAILED'],
  ['FatalUntrustedWorkspaceError', 'UNTRUSTED_WORKSPACE'],
  ['FatalCancellationError', 'CANCELLED'],
  ['no_space_left', 'TOOL_FAILED'],
  ['INVALID_STREAM', 'EMPTY_RESPONSE'],
]);

export function codeOfFatalErrorType(type: string): ErrorCode | undefined {
  return FATAL_ERROR_TYPES.get(type);
}

type Table = readonly (readonly [pattern: RegExp, code: ErrorCode])[];

/** Wording of `error` events, which have no code. */
const STREAM_ERRORS: Table = [
  [/^Loop detected/, 'LOOP_DETECTED'],
  [/^Maximum session turns exceeded|^Reached max session turns/, 'TURN_LIMIT'],
  [/^Agent execution stopped/, 'HOOK_STOPPED'],
  [/blocked due to (safety|recitation|other)/, 'CONTENT_BLOCKED'],
  [
    /(empty response|no final response text|without a finish reason|malformed (function|tool) call|unexpected tool call|exceeded the token limit|^Invalid stream)/,
    'EMPTY_RESPONSE',
  ],
];

export function codeOfStreamError(message: string): ErrorCode | undefined {
  return lookUp(STREAM_ERRORS, message);
}

/** A CLI that cannot write to its home folder: read-only, of another user, or on a full disk. */
const CLOSED_HOME = /^.*Error: (?:EROFS|EACCES|EPERM|ENOSPC|EDQUOT): .*[/\\]\.gemini[/\\]/m;

export function isHomeClosed(stderr: string): boolean {
  return CLOSED_HOME.test(stderr);
}
/** Words with which the CLI refuses its settings, on stderr and in the error response to `session/new`. */
const SETTINGS_REFUSED = /Please fix the configuration file|^Error in .{1,4096}settings\.json:/m;

/** Wording of stderr. The last resort, if neither an event nor the exit code shows the cause. */
const STDERR: Table = [
  [LOGIN_REFUSED, 'AUTH'],
  [/Please set an Auth method/, 'AUTH'],
  [/^Usage: gemini\b/m, 'CLI_CONFIG'],
  [CLOSED_HOME, 'CLI_CONFIG'],
  [SETTINGS_REFUSED, 'CLI_CONFIG'],
  [
    /FatalSandboxError|Missing sandbox command|Sandbox image .* (missing|not found)|failed to (build|pull) .*sandbox/i,
    'SANDBOX',
  ],
  [/not running in a trusted directory/, 'UNTRUSTED_WORKSPACE'],
  [/^.*Error: Directory does not exist:/m, 'INVALID_INPUT'],
  [
    /No input provided via stdin|Error resuming session|Invalid session identifier/,
    'INVALID_INPUT',
  ],
  [/ModelNotFoundError/, 'MODEL_NOT_FOUND'],
  [/TerminalQuotaError/, 'QUOTA_EXHAUSTED'],
  [/RetryableQuotaError/, 'RATE_LIMITED'],
];

export function codeOfStderr(stderr: string): ErrorCode | undefined {
  return lookUp(STDERR, stderr);
}

/** Words of wrappers and other versions for a missing login. The CLI 0.61 has an exit code for it. */
const LOGIN_WANTED =
  /\b(?:not logged in|(?:must|need to|please) (?:log ?in|sign in|authenticate)|log ?in (?:first|required)|auth(?:entication)? (?:failed|required|error)|unauthenticated)\b/i;

/**
 * True if the last line of stderr asks for a login. Only for a process that has printed no event: later such words may come
 * from an MCP server.
 */
export function asksForLogin(stderr: string): boolean {
  return LOGIN_WANTED.test(stderr.trimEnd().split('\n').at(-1) ?? '');
}

/** Classes of API errors that the CLI prints on stderr with a stack, while its result says `unknown`. */
const API_ERROR_TYPES = /\b(TerminalQuotaError|ValidationRequiredError): .*\n\s+at /g;

/** Returns the class of the last API error on stderr. */
export function findErrorType(stderr: string): string | undefined {
  return [...stderr.matchAll(API_ERROR_TYPES)].at(-1)?.[1];
}

export function isSettingsError(text: string): boolean {
  return SETTINGS_REFUSED.test(text);
}

function lookUp(table: Table, text: string): ErrorCode | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

/** True if Node reported on stderr that its heap is full; the process then dies by a signal. */
export function isOutOfMemory(stderr: string): boolean {
  return /JavaScript heap out of memory/.test(stderr);
}
