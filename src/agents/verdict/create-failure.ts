import type { ErrorCode, TimeoutPhase } from '../../api/error.js';
import { type ApiFailure, classifyApiFailure } from './api-failure.js';
import type { Failure, StepStopReason } from './verdict.js';

export function fail(code: ErrorCode, message: string): Failure {
  return { ok: false, code, message };
}

export function failApi({ code, httpStatus, retryAfterMs, sentence }: ApiFailure): Failure {
  const answered =
    httpStatus === undefined ? 'The request to the API failed' : `HTTP ${httpStatus}`;
  const text = sentence === undefined ? answered : `${answered}: ${firstLine(sentence)}`;
  return { ok: false, code, message: text, httpStatus, retryAfterMs };
}

const TIMEOUT_MESSAGES: Readonly<Record<TimeoutPhase, string>> = {
  start: 'The CLI did not start within',
  idle: 'The CLI printed nothing for',
  total: 'The run was not over after',
};
const TIMEOUT_OPTIONS: Readonly<Record<TimeoutPhase, string>> = {
  start: 'startTimeout',
  idle: 'idleTimeout',
  total: 'timeout',
};

export function failStopped(end: StepStopReason): Failure {
  switch (end.kind) {
    case 'cancelled':
      return fail('CANCELLED', 'The caller cancelled the run');
    case 'timeout':
      return {
        ...fail('TIMEOUT', `${TIMEOUT_MESSAGES[end.phase]} ${end.limitMs / 1000} s`),
        hint: `Raise \`${TIMEOUT_OPTIONS[end.phase]}\` (seconds), or go on with \`resume\` and the session id.`,
        phase: end.phase,
      };
    case 'attempts':
      return failAttempts(end);
    case 'permission': {
      const message = `${end.tool} asked for a permission, and nobody is there to give it`;
      return { ...fail('TOOL_FAILED', message), hint: end.hint };
    }
    case 'flood': {
      const limit = `${end.limitBytes / 2 ** 20} MiB`;
      return {
        ...fail('PROTOCOL', `The CLI printed more than ${limit} on ${end.stream} and was ended`),
        hint: 'Run the CLI by hand to see what it repeats: a debug flag, a hook or an MCP server may be the cause.',
      };
    }
  }
}

/** What the API said, between the CLI's own words. */
const SAID = /^Attempt \d+ failed: (.+?)(?:\. Retrying after .*|\. Max attempts reached)?$/m;

function failAttempts({
  attempts,
  text,
  httpStatus,
  delayMs,
}: Extract<StepStopReason, { kind: 'attempts' }>): Failure {
  // The CLI tries again only what it holds for passing, and names a delay only after a throttle.
  const guess: ApiFailure = { code: delayMs === undefined ? 'API_UNAVAILABLE' : 'RATE_LIMITED' };
  const known = classifyApiFailure(text, httpStatus) ?? guess;
  const failure = failApi({
    ...known,
    retryAfterMs: known.code === 'RATE_LIMITED' ? (known.retryAfterMs ?? delayMs) : undefined,
    sentence: known.sentence ?? SAID.exec(text)?.[1],
  });
  const times = `given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return { ...failure, message: `${failure.message} (${times})` };
}

/** What a fatal code means in words of our own; stderr itself is kept apart. */
const DESCRIPTIONS: Partial<Record<ErrorCode, string>> = {
  AUTH: 'The CLI found no way to authenticate',
  SANDBOX: 'The sandbox could not be started',
  CLI_CONFIG: "The CLI's settings cannot be used",
  TURN_LIMIT: 'The limit of turns was reached',
  TOOL_FAILED: 'A tool failed fatally',
  UNTRUSTED_WORKSPACE: 'The working directory is not trusted',
  CLI_NOT_FOUND: 'The CLI could not be executed',
  CANCELLED: 'The run was cancelled from a terminal',
  MODEL_NOT_FOUND: 'The model does not exist or is not available to this account',
  QUOTA_EXHAUSTED: 'The quota is used up',
  RATE_LIMITED: 'The API limits the rate of requests',
};

const INPUT_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/No input provided/, 'The CLI got no prompt'],
  [/already (exists|in use|used)/i, 'A session with this id exists already'],
  [/resum|session/i, 'The session cannot be resumed'],
  [/Directory does not exist/, 'An included directory does not exist'],
  [/@ command/, 'A file named with @ could not be read'],
];

export function describe(code: ErrorCode, stderr: string): string {
  if (code === 'CLI_CONFIG' && /^Usage: gemini/m.test(stderr)) {
    return 'The CLI does not accept its arguments';
  }
  if (code === 'INVALID_INPUT') {
    const known = INPUT_PROBLEMS.find(([pattern]) => pattern.test(stderr))?.[1];
    return known ?? 'The CLI rejects its input';
  }
  return DESCRIPTIONS[code] ?? 'The CLI failed';
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
