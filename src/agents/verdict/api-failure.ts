import type { ErrorCode } from '../../api/error.js';
import { findRetryDelayMs } from './parse-retry-delay.js';

/** Failed request to the model API, as read from events, stderr or the exit code. */
export interface ApiFailure {
  readonly code: ErrorCode;
  readonly httpStatus?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Sentence of the API itself, if it can be recognised in the text. */
  readonly sentence?: string | undefined;
}

const STATUS_NAMES: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** Texts that mean a rejected key or account, with any HTTP status and from any source. */
export const LOGIN_REFUSED =
  /API_KEY_INVALID|API key (not valid|expired)|API_KEY_SERVICE_BLOCKED|IneligibleTierError|#3501|no longer supported for Gemini Code Assist/i;
const MODEL_MISSING =
  /is not found for API version|ModelNotFoundError|Model not found|Publisher Model .{1,300} not found|Requested entity was not found/i;
const QUOTA_USED_UP =
  /daily quota|PerDay|limit:\s*0(?!\d|\.\d)|QUOTA_EXHAUSTED|INSUFFICIENT_G1_CREDITS/i;
/** Class of the CLI for limits after which it does not repeat the request. Not all of them are used-up quotas. */
const TERMINAL_QUOTA_ERROR = 'TerminalQuotaError';
/** Sentence of Code Assist, the API behind a login with Google, for the quota of an account and for a short pause. */
const CAPACITY_USED_UP = /exhausted your capacity on this model/i;
/** A quota that is renewed within this time is a rate limit: waiting is worth it. */
const LONGEST_PAUSE_MS = 3_600_000;
/** Texts of a rate limit. The CLI adds `Suggested retry after` to any sentence of an API that named a delay. */
const THROTTLED =
  /RESOURCE_EXHAUSTED|Resource has been exhausted|Quota exceeded|exceeded your (current )?quota|\brate.?limit|too many requests|exhausted your capacity|MODEL_CAPACITY|Suggested retry after \d/i;
/** Texts that name a failed connection, so that a request was tried. */
const CONNECTION_FAILED =
  /fetch failed|socket hang up|other side closed|premature close|ECONN\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EPROTO|ENETUNREACH|UND_ERR_\w+|ERR_SSL_\w+|ERR_TLS_\w+|certificate/i;
/** Texts of an answer that was cut off. */
const ANSWER_TORN =
  /Incomplete JSON segment|in JSON at position|end of JSON input|is not valid JSON|terminated/i;

/** True if the text names a failed connection. */
export function isConnectionError(text: string): boolean {
  return CONNECTION_FAILED.test(text);
}

/** Returns the error code that an HTTP status alone stands for. */
export function codeOfHttpStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'AUTH';
  if (status === 404) return 'MODEL_NOT_FOUND';
  if (status === 429) return 'RATE_LIMITED';
  // 499: the server closed the request. The CLI itself retries after this status.
  if (status >= 499) return 'API_UNAVAILABLE';
  return 'API_REQUEST';
}

/**
 * Classifies an API error by its text and, if known, its HTTP status and the class that the CLI gave it.
 * Returns undefined if none of them shows that a request failed.
 */
export function classifyApiFailure(
  text: string,
  knownStatus?: number,
  errorType?: string,
): ApiFailure | undefined {
  const httpStatus = knownStatus ?? findHttpStatus(text);
  const isTerminal = errorType === TERMINAL_QUOTA_ERROR;
  const code = codeOfApiText(text, httpStatus, isTerminal);
  if (code === undefined) return undefined;
  const isLimit = code === 'RATE_LIMITED' || code === 'QUOTA_EXHAUSTED';
  return {
    code,
    httpStatus,
    retryAfterMs: isLimit ? findRetryDelayMs(text) : undefined,
    sentence: findApiSentence(text),
  };
}

function codeOfApiText(
  text: string,
  status: number | undefined,
  isTerminal: boolean,
): ErrorCode | undefined {
  if (LOGIN_REFUSED.test(text)) return 'AUTH';
  const isThrottled = status === undefined ? THROTTLED.test(text) : status === 429;
  if (isThrottled || isTerminal)
    return isQuotaUsedUp(text, isTerminal) ? 'QUOTA_EXHAUSTED' : 'RATE_LIMITED';
  if (status !== undefined) return codeOfHttpStatus(status);
  if (MODEL_MISSING.test(text)) return 'MODEL_NOT_FOUND';
  if (QUOTA_USED_UP.test(text)) return 'QUOTA_EXHAUSTED';
  if (CONNECTION_FAILED.test(text) || ANSWER_TORN.test(text)) return 'NETWORK';
  return undefined;
}

/** Tells a used-up quota from a pause. Code Assist has one sentence for both; the time of the renewal decides then. */
function isQuotaUsedUp(text: string, isTerminal: boolean): boolean {
  if (QUOTA_USED_UP.test(text)) return true;
  if (!CAPACITY_USED_UP.test(text)) return false;
  const delayMs = findRetryDelayMs(text);
  return delayMs === undefined ? isTerminal : delayMs > LONGEST_PAUSE_MS;
}

function findHttpStatus(text: string): number | undefined {
  const named =
    /"code\\*"\s*:\s*([45]\d\d)\b/.exec(text)?.[1] ?? /\bstatus:? ([45]\d\d)\b/.exec(text)?.[1];
  if (named !== undefined) return Number(named);
  const word =
    /"status\\*"\s*:\s*\\*"([A-Z_]+)/.exec(text)?.[1] ?? /\(Status: ([A-Z_]+)\)/.exec(text)?.[1];
  return word === undefined ? undefined : STATUS_NAMES.get(word);
}

/** Extracts the sentence for people out of `[API Error: …]` and of JSON, which may be nested. */
function findApiSentence(text: string): string | undefined {
  const quoted = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (quoted === undefined) return /\[API Error: ([\s\S]*?)\](?:\n|$)/.exec(text)?.[1];
  const message = parseJsonString(quoted);
  return message.trimStart().startsWith('{') ? (findApiSentence(message) ?? message) : message;
}

function parseJsonString(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
