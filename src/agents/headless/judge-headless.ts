import type { ErrorCode } from '../../api/error.js';
import { classifyApiFailure, codeOfHttpStatus } from '../verdict/api-failure.js';
import { codeOfExitCode, httpStatusOfExitCode } from '../verdict/cli-exit-codes.js';
import {
  asksForLogin,
  codeOfFatalErrorType,
  codeOfStderr,
  codeOfStreamError,
  findErrorType,
  isOutOfMemory,
} from '../verdict/cli-messages.js';
import {
  describe,
  fail,
  failApi,
  failKilled,
  failStopped,
  failValidation,
} from '../verdict/create-failure.js';
import { findFullDisk } from '../verdict/full-disk.js';
import type { Failure, Verdict, VerdictEvidence } from '../verdict/verdict.js';
import type { HeadlessFacts } from './headless-facts.js';
import type { WireResult } from './headless-wire.js';

/** Prompts below this size fit into every context window. */
const SMALLEST_OVERFLOW_BYTES = 16 * 1024;

/**
 * Judges a turn, as a pure function of facts and evidence. Exit 0 proves nothing: the CLI also returns it after
 * signals, lost output, empty answers, loops, overflow and hooks. The order of evidence: the provider's stop reason,
 * the terminal event, the errno of the spawn, the exit code, and last the wording of stderr.
 */
export function judgeHeadless(facts: HeadlessFacts, evidence: VerdictEvidence): Verdict {
  const { terminal } = facts;
  if (facts.stopReason !== undefined) return failStopped(facts.stopReason);
  const fullDisk = terminal && findFullDisk(evidence.fold.toolCalls);
  if (fullDisk !== undefined) return fullDisk;
  if (terminal?.status === 'success') return judgeSuccess(facts, evidence, terminal);
  if (terminal !== undefined) return judgeError(facts, evidence, terminal);
  if (facts.spawnErrno !== undefined) return judgeSpawn(facts.spawnErrno);
  return judgeWithoutResult(facts, evidence);
}

function judgeSuccess(
  facts: HeadlessFacts,
  evidence: VerdictEvidence,
  terminal: WireResult,
): Verdict {
  return (
    findHookStop(evidence) ??
    findErrorRemark(evidence) ??
    findMissingRequest(facts, evidence, terminal) ??
    findSilentHook(evidence) ??
    findSilence(evidence, terminal) ??
    findBadExit(facts) ??
    findUnanswered(evidence) ?? { ok: true, recovered: false }
  );
}

function findHookStop({ fold }: VerdictEvidence): Failure | undefined {
  const stopped = fold.toolCalls.find((call) => call.error?.type === 'stop_execution');
  if (stopped?.error === undefined) return undefined;
  return fail(
    'HOOK_STOPPED',
    `A hook stopped the step at ${stopped.name}: ${stopped.error.message}`,
  );
}

/** Finds a step that a hook stopped after the request: the CLI then reports success, without a text and a remark. */
function findSilentHook({ fold, hasHooks }: VerdictEvidence): Failure | undefined {
  const isSilent = fold.text.trim() === '' && fold.toolCalls.length === 0;
  if (hasHooks !== true || !isSilent) return undefined;
  return fail('HOOK_STOPPED', 'The CLI reported success without an answer: a hook stopped it');
}

/** Finds an empty answer: versions before 0.60 ask the model to continue, and then report success. */
function findSilence({ fold }: VerdictEvidence, { stats }: WireResult): Failure | undefined {
  // Without the number of tool calls, an answer may consist of tool calls alone.
  const isSilent = fold.text.trim() === '' && stats?.tool_calls === 0;
  return isSilent ? fail('EMPTY_RESPONSE', 'The model gave no answer') : undefined;
}

/** Codes of failures that the CLI reports as mere warnings, the last two with `-o json` alone. */
const WARNED: ReadonlySet<ErrorCode | undefined> = new Set([
  'LOOP_DETECTED',
  'TURN_LIMIT',
  'HOOK_STOPPED',
]);

/** Finds a fatal remark: the CLI reports success after some errors, and other ones as warnings. */
function findErrorRemark({ fold }: VerdictEvidence): Failure | undefined {
  for (const { status, message } of fold.remarks) {
    const code = codeOfStreamError(message);
    if (status === 'warning' && code !== undefined && WARNED.has(code)) return fail(code, message);
    if (status !== 'error') continue;
    if (code !== undefined) return fail(code, message);
    const failure = classifyApiFailure(message);
    return failure === undefined ? fail('UNKNOWN', message) : failApi(failure);
  }
  return undefined;
}

/** Finds a success without tokens and without a model: the CLI made no request. */
function findMissingRequest(
  { stderr }: HeadlessFacts,
  { promptBytes, hasHooks }: VerdictEvidence,
  { stats }: WireResult,
): Failure | undefined {
  // Without statistics there is no evidence.
  if (stats === undefined) return undefined;
  const tokens = stats.total_tokens;
  if ((tokens ?? 0) > 0 || Object.keys(stats.models ?? {}).length > 0) return undefined;
  // Version 0.11 reports a refused request as a success.
  if (/Error when talking to Gemini API/.test(stderr)) {
    const failure = classifyApiFailure(stderr);
    return failure === undefined
      ? fail('UNKNOWN', 'The request to the API failed')
      : failApi(failure);
  }
  // A missing or unreadable count does not mean zero.
  if (tokens === undefined) return undefined;
  const isSmall = promptBytes !== undefined && promptBytes < SMALLEST_OVERFLOW_BYTES;
  if (hasHooks === true && isSmall) {
    return fail('HOOK_STOPPED', 'A hook stopped the step before any request was made');
  }
  return fail(
    'CONTEXT_OVERFLOW',
    'The prompt, with context files and files named with @, does not fit into the context window',
  );
}

/** Finds a bad exit after a complete answer. The error keeps the answer, so that the caller can still use it. */
function findBadExit(facts: HeadlessFacts): Failure | undefined {
  if (facts.endedAfterResult === true) return undefined;
  if (facts.signal !== undefined) {
    return fail('UNKNOWN', `The CLI reported success and was then killed by ${facts.signal}`);
  }
  if (facts.exitCode === undefined || facts.exitCode === 0) return undefined;
  const code = codeOfExitCode(facts.exitCode) ?? 'UNKNOWN';
  return fail(code, `The CLI reported success and then exited with ${facts.exitCode}`);
}

/** Finds a history that grew too large after a tool call: the CLI then stops and reports success. */
function findUnanswered({ session, fold }: VerdictEvidence): Failure | undefined {
  if (session?.lastTurn !== 'unanswered' || !fold.endsWithTool) return undefined;
  const message =
    'The CLI did not ask the model again after the last tool call: the history is too large';
  return fail('CONTEXT_OVERFLOW', message);
}

function judgeError(
  facts: HeadlessFacts,
  evidence: VerdictEvidence,
  { error }: WireResult,
): Failure {
  // Without an `error` field the answer is unusable, and the remarks tell why.
  if (error === undefined || error === null) {
    return findErrorRemark(evidence) ?? fail('EMPTY_RESPONSE', 'The model gave no usable answer');
  }
  const type = error.type === 'unknown' ? findErrorType(facts.stderr) : error.type;
  if (type === 'ValidationRequiredError') return failValidation(error.message);
  const fatal = codeOfFatalErrorType(error.type);
  if (fatal !== undefined) return fail(fatal, error.message);
  const status = facts.exitCode === undefined ? undefined : httpStatusOfExitCode(facts.exitCode);
  const failure = classifyApiFailure(error.message, status, type);
  // The message of `-o json` is the sentence itself, without the frame `[API Error: …]`.
  if (failure !== undefined)
    return failApi({ ...failure, sentence: failure.sentence ?? error.message });
  const code =
    codeOfStreamError(error.message) ??
    codeOfExitCode(facts.exitCode ?? 0) ??
    codeOfStderr(facts.stderr);
  if (code !== undefined) return fail(code, error.message);
  const fromStderr = classifyApiFailure(facts.stderr);
  return fromStderr === undefined ? fail('UNKNOWN', error.message) : failApi(fromStderr);
}

function judgeSpawn(errno: string): Failure {
  if (errno === 'ENOENT' || errno === 'EACCES' || errno === 'ENOEXEC' || errno === 'ENOTDIR') {
    return fail('CLI_NOT_FOUND', `The CLI could not be started (${errno})`);
  }
  return fail('UNKNOWN', `The CLI could not be started (${errno})`);
}

function judgeWithoutResult(facts: HeadlessFacts, { fold, session }: VerdictEvidence): Verdict {
  const { exitCode } = facts;
  // The output was lost in a pipe at the exit, but the session file shows that the model had answered.
  const isPending = fold.toolCalls.some((call) => call.outcome === 'pending');
  if (exitCode === 0 && facts.isTorn === true && session?.lastTurn === 'answered' && !isPending) {
    return { ok: true, recovered: true };
  }
  if (exitCode !== undefined && exitCode !== 0) {
    const fatal = codeOfExitCode(exitCode);
    if (fatal !== undefined) return fail(fatal, describe(fatal, facts.stderr));
    const status = httpStatusOfExitCode(exitCode);
    if (status !== undefined) {
      return failApi(
        classifyApiFailure(facts.stderr, status) ?? {
          code: codeOfHttpStatus(status),
          httpStatus: status,
        },
      );
    }
    const code = codeOfStderr(facts.stderr);
    if (code !== undefined) return fail(code, describe(code, facts.stderr));
    const failure = classifyApiFailure(facts.stderr);
    // Words of a broken connection may come from an MCP server. Both codes are retryable.
    if (failure !== undefined && failure.code !== 'NETWORK') return failApi(failure);
    if (facts.wireEvents === 0 && asksForLogin(facts.stderr)) {
      return { ...fail('AUTH', describe('AUTH', facts.stderr)), hint: LOGIN_HINT };
    }
  }
  if (facts.wireEvents === 0 && facts.foreignLines > 0 && exitCode === 0) {
    return fail('PROTOCOL', `None of ${facts.foreignLines} lines on stdout is an event of the CLI`);
  }
  if (facts.signal !== undefined && !isOutOfMemory(facts.stderr)) {
    return failKilled('The CLI', facts.signal, facts.stderr);
  }
  const failure = fail('INCOMPLETE', describeMissingResult(facts));
  const isSpoken =
    (exitCode ?? 0) !== 0 && facts.stderr.trim() !== '' && !isOutOfMemory(facts.stderr);
  return isSpoken ? { ...failure, hint: OWN_EXIT_HINT } : failure;
}

const LOGIN_HINT =
  'The CLI asks for a login, in its own words in `stderrTail`. Set GEMINI_API_KEY, or log in once by running `gemini` in a terminal.';
const OWN_EXIT_HINT =
  'The CLI exited by itself. Its reason is in `stderrTail`: correct what it names, or try again.';

function describeMissingResult({ exitCode, stderr }: HeadlessFacts): string {
  if (isOutOfMemory(stderr)) return 'The CLI ran out of memory';
  const way = exitCode === undefined ? 'ended' : `exited with ${exitCode}`;
  return `The CLI ${way} without a result`;
}
