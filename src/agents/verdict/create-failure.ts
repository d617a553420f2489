import type { ErrorCode, TimeoutPhase } from '../../api/error.js';
import { countOf } from '../../base/text/count-of.js';
import { firstLine } from '../../base/text/first-line.js';
import { type ApiFailure, classifyApiFailure } from './api-failure.js';
import { isHomeClosed, isOutOfMemory } from './cli-messages.js';
import type { Failure, StepStopReason } from './verdict.js';

export function fail(code: ErrorCode, message: string): Failure {
  return { ok: false, code, message };
}

export function failApi({ code, httpStatus, retryAfterMs, sentence }: ApiFailure): Failure {
  const isLimit = code === 'RATE_LIMITED' || code === 'QUOTA_EXHAUSTED';
  const reason = isLimit ? describe(code, '') : 'The request to the API failed';
  const answered = httpStatus === undefined ? reason : `HTTP ${httpStatus}`;
  const text = sentence === undefined ? answered : `${answered}: ${firstLine(sentence)}`;
  return { ok: false, code, message: text, httpStatus, retryAfterMs };
}

/** Creates the failure of an account that Google wants verified before it answers. */
export function failValidation(message: string): Failure {
  const sentence = /^\[API Error: ([\s\S]*)\]$/.exec(message)?.[1] ?? message;
  return {
    ...fail('AUTH', `The account must be verified: ${firstLine(sentence)}`),
    hint: 'Run `gemini` once in a terminal with this login and follow its link, or set GEMINI_API_KEY.',
  };
}

const TIMEOUT_MESSAGES: Readonly<Record<TimeoutPhase, string>> = {
  start: 'The CLI did not start within',
  idle: 'The CLI printed nothing for',
  total: 'The step did not finish within',
};
const TIMEOUT_OPTIONS: Readonly<Record<TimeoutPhase, string>> = {
  start: 'startTimeout',
  idle: 'idleTimeout',
  total: 'timeout',
};

export function failStopped(reason: StepStopReason): Failure {
  switch (reason.kind) {
    case 'cancelled':
      return fail('CANCELLED', 'The caller cancelled the step');
    case 'timeout':
      return {
        ...fail('TIMEOUT', `${TIMEOUT_MESSAGES[reason.phase]} ${reason.limitMs / 1000} s`),
        hint: `Raise \`${TIMEOUT_OPTIONS[reason.phase]}\` (seconds), or continue with \`resume\` and the session id.`,
        phase: reason.phase,
      };
    case 'attempts':
      return failAttempts(reason);
    case 'permission': {
      const message = `The tool ${reason.tool} needs a permission that neither onPermission nor a rule grants`;
      return { ...fail('TOOL_FAILED', message), hint: reason.hint };
    }
    case 'flood': {
      const limit = `${reason.limitBytes / 2 ** 20} MiB`;
      return {
        ...fail(
          'PROTOCOL',
          `The CLI printed more than ${limit} on ${reason.stream} and was stopped`,
        ),
        hint: 'Run the CLI by hand and look at the repeated output: a debug flag, a hook or an MCP server may cause it.',
      };
    }
  }
}

/**
 * Creates the failure of an agent that another process or the system has killed. SIGKILL is the signal of the OOM killer
 * of Linux, which leaves no word on stderr.
 */
export function failKilled(name: string, signal: string, stderr: string): Failure {
  const memory = isOutOfMemory(stderr) ? ' (out of memory)' : '';
  const failure = fail('INCOMPLETE', `${name} was killed by ${signal}${memory} before its result`);
  if (signal !== 'SIGKILL') return failure;
  return {
    ...failure,
    message: `${failure.message}, probably because memory ran out: this package did not send the signal`,
    hint: MEMORY_HINT,
  };
}

const MEMORY_HINT =
  'Look for "Out of memory" or "oom-kill" in the kernel log (`dmesg`) or in the events of the container. Give it more memory, run fewer steps at once, or lower `pool.maxMemoryMb` and `pool.maxSessions`, then try again.';

/** Finds the sentence of the API between the CLI's own words. */
const API_SENTENCE =
  /^Attempt \d+ failed: (.+?)(?:\. Retrying after .*|\. Max attempts reached)?$/m;

function failAttempts({
  attempts,
  text,
  httpStatus,
  delayMs,
}: Extract<StepStopReason, { kind: 'attempts' }>): Failure {
  // The CLI retries only errors that it considers temporary, and names a delay only after a rate limit.
  const guess: ApiFailure = { code: delayMs === undefined ? 'API_UNAVAILABLE' : 'RATE_LIMITED' };
  const known = classifyApiFailure(text, httpStatus) ?? guess;
  const failure = failApi({
    ...known,
    retryAfterMs: known.retryAfterMs ?? (known.code === 'RATE_LIMITED' ? delayMs : undefined),
    sentence: known.sentence ?? API_SENTENCE.exec(text)?.[1],
  });
  // An attempt is one try of a step in a batch. The CLI repeats requests.
  const times = `given up after ${countOf(attempts, 'request')}`;
  return { ...failure, message: `${failure.message} (${times})` };
}

/** Messages for fatal codes. They quote nothing of stderr, which the error has as `stderrTail`. */
const DESCRIPTIONS: Partial<Record<ErrorCode, string>> = {
  AUTH: 'The CLI could not authenticate',
  SANDBOX: 'The sandbox could not be started',
  CLI_CONFIG: 'The CLI rejected its settings',
  TURN_LIMIT: 'The session reached the limit `model.maxSessionTurns`',
  TOOL_FAILED: 'A tool failed with a fatal error',
  UNTRUSTED_WORKSPACE: 'The working directory is not trusted',
  CLI_NOT_FOUND: 'The CLI could not be executed',
  CANCELLED: 'The CLI was interrupted from a terminal',
  MODEL_NOT_FOUND: 'The model does not exist or is not available to this account',
  QUOTA_EXHAUSTED: 'The quota is used up',
  RATE_LIMITED: 'The API limits the rate of requests',
};

const INPUT_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/No input provided/, 'The CLI received no prompt'],
  [/already (exists|in use|used)/i, 'A session with this id exists already'],
  [/resum|session/i, 'The session cannot be resumed'],
  [/Directory does not exist/, 'An included directory does not exist'],
  [/@ command/, 'A file named with @ could not be read'],
];

export function describe(code: ErrorCode, stderr: string): string {
  if (code === 'CLI_CONFIG' && isHomeClosed(stderr)) {
    return 'The CLI cannot write to its home folder: it is read-only, belongs to another user, or its disk is full';
  }
  if (code === 'CLI_CONFIG' && /^Usage: gemini/m.test(stderr)) {
    return 'The CLI rejected its command-line arguments';
  }
  if (code === 'INVALID_INPUT') {
    const known = INPUT_PROBLEMS.find(([pattern]) => pattern.test(stderr))?.[1];
    return known ?? 'The CLI rejected its input';
  }
  return DESCRIPTIONS[code] ?? 'The CLI failed';
}
