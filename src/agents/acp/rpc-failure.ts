import type { ErrorCode } from '../../api/error.js';
import { isObject } from '../../base/json/is-object.js';
import { classifyApiFailure, codeOfHttpStatus } from '../verdict/api-failure.js';
import { fail, failApi } from '../verdict/create-failure.js';
import { findHttpStatus } from '../verdict/find-http-status.js';
import type { Failure } from '../verdict/verdict.js';
import type { RpcError } from './profile.js';

const AUTH_REQUIRED = -32_000;
const RESOURCE_NOT_FOUND = -32_002;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** What the protocol itself says of an error. Agents that put more into it have a profile. */
export function judgeProtocolError(error: RpcError): Failure {
  const words = describeRpcError(error);
  switch (error.code) {
    case AUTH_REQUIRED:
      return fail('AUTH', `The agent wants to be logged in: ${words}`);
    case RESOURCE_NOT_FOUND:
    case INVALID_PARAMS:
      return (
        judgeSentence(words) ??
        fail('INVALID_INPUT', `The agent rejects what it was given: ${words}`)
      );
    case METHOD_NOT_FOUND:
      return fail('PROTOCOL', `The agent does not know a method that it should: ${words}`);
    default:
      return judgeTold(error, words) ?? judgeModelError(error.code, words);
  }
}

/** Sentences of widely used agents and APIs that come without a number. */
const SENTENCES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/\b(?:incorrect|invalid)\b.{0,20}\bapi.?key\b/i, 'AUTH'],
  [/\bmodel\b.{0,200}\b(?:not found|does not exist)\b/i, 'MODEL_NOT_FOUND'],
];

/** Most agents hand on what their model's API has said, and call it an internal error. */
function judgeTold({ message, data }: RpcError, words: string): Failure | undefined {
  const status = findHttpStatus(words, `${message} ${JSON.stringify(data)}`);
  if (status === undefined) return judgeSentence(words);
  const failure = classifyApiFailure(words, status);
  return failure && failApi({ ...failure, sentence: failure.sentence ?? withoutStatus(words) });
}

function judgeSentence(words: string): Failure | undefined {
  const code = SENTENCES.find(([said]) => said.test(words))?.[1];
  return code && fail(code, `The agent failed: ${words.trim().split('\n', 1)[0]}`);
}

function withoutStatus(words: string): string {
  return words.trim().replace(/^(?:Internal error: )?(?:[45]\d\d\s+)?/, '');
}

/** A failed request to the model: by its HTTP status, where the code is one, else by what is said. */
export function judgeModelError(code: number, words: string): Failure {
  const isStatus = code >= 400 && code <= 599;
  const failure = classifyApiFailure(words, isStatus ? code : undefined);
  if (failure !== undefined) return failApi(failure);
  if (isStatus) return failApi({ code: codeOfHttpStatus(code), httpStatus: code, sentence: words });
  return fail('UNKNOWN', `The agent failed: ${words}`);
}

/** The details, where there are some: many agents call every error an internal one. */
export function describeRpcError({ message, data }: RpcError): string {
  if (typeof data === 'string') return data;
  if (isObject(data)) {
    const details = data['details'] ?? data['message'] ?? data['error'];
    if (typeof details === 'string') return details;
  }
  return message;
}
