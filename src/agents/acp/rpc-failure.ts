import type { ErrorCode } from '../../api/error.js';
import { isObject } from '../../base/json/is-object.js';
import { firstLine } from '../../base/text/first-line.js';
import { classifyApiFailure, codeOfHttpStatus } from '../verdict/api-failure.js';
import { fail, failApi } from '../verdict/create-failure.js';
import { findHttpStatus } from '../verdict/find-http-status.js';
import type { Failure } from '../verdict/verdict.js';
import type { RpcError } from './profile.js';

const AUTH_REQUIRED = -32_000;
const RESOURCE_NOT_FOUND = -32_002;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** Maps an error response to a failure by the codes of the protocol. Profiles of agents add their own codes. */
export function judgeProtocolError(error: RpcError): Failure {
  const text = describeRpcError(error);
  switch (error.code) {
    case AUTH_REQUIRED:
      return fail('AUTH', `The agent requires a login: ${text}`);
    case RESOURCE_NOT_FOUND:
    case INVALID_PARAMS:
      return (
        judgeByText(text) ??
        fail('INVALID_INPUT', `The agent rejected the parameters of a request: ${text}`)
      );
    case METHOD_NOT_FOUND:
      return fail('PROTOCOL', `The agent does not support a required method: ${text}`);
    default:
      return judgeInternalError(error, text) ?? judgeModelError(error.code, text);
  }
}

/** Error texts of widely used agents and APIs that contain no HTTP status. */
const ERROR_TEXTS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/\b(?:incorrect|invalid)\b.{0,20}\bapi.?key\b/i, 'AUTH'],
  [/\bmodel\b.{0,200}\b(?:not found|does not exist)\b/i, 'MODEL_NOT_FOUND'],
];

/** Judges an internal error by its text: most agents pass on errors of the model's API as internal errors. */
function judgeInternalError({ message, data }: RpcError, text: string): Failure | undefined {
  const status = findHttpStatus(text, `${message} ${JSON.stringify(data)}`);
  if (status === undefined) return judgeByText(text);
  const failure = classifyApiFailure(text, status);
  return failure && failApi({ ...failure, sentence: failure.sentence ?? withoutStatus(text) });
}

function judgeByText(text: string): Failure | undefined {
  const code = ERROR_TEXTS.find(([pattern]) => pattern.test(text))?.[1];
  return code && fail(code, `The agent failed: ${firstLine(text)}`);
}

function withoutStatus(text: string): string {
  return text.trim().replace(/^(?:Internal error: )?(?:[45]\d\d\s+)?/, '');
}

/** Judges a failed request to the model by its HTTP status if the code is one, else by its text. */
export function judgeModelError(code: number, text: string, errorType?: string): Failure {
  const isStatus = code >= 400 && code <= 599;
  const failure = classifyApiFailure(text, isStatus ? code : undefined, errorType);
  if (failure !== undefined) return failApi({ ...failure, sentence: failure.sentence ?? text });
  if (isStatus) return failApi({ code: codeOfHttpStatus(code), httpStatus: code, sentence: text });
  return fail('UNKNOWN', `The agent failed: ${text}`);
}

/** Returns the details of an error, or its message. Many agents send the message "Internal error" for every error. */
export function describeRpcError({ message, data }: RpcError): string {
  if (typeof data === 'string') return data;
  if (isObject(data)) {
    const details = data['details'] ?? data['message'] ?? data['error'];
    if (typeof details === 'string') return details;
  }
  return message;
}
