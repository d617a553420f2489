import { z } from 'zod';
import { hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { RequestAnswer } from './repeated-requests.js';

/** Errors of a disk that is full. */
const FULL = ['ENOSPC', 'EDQUOT'];
/** Errors of a disk that is broken, and of files that are closed to the server. */
const CLOSED = ['EROFS', 'EIO', 'EACCES', 'EPERM'];

/** Returns the answer for an error that the person should read: a refusal, or a disk that takes nothing. Undefined for any other. */
export function findRefusal(error: unknown): RequestAnswer | undefined {
  if (error instanceof z.ZodError)
    return { status: 400, body: { message: 'The request is not valid' } };
  // The rest of the message is a path of the desk.
  const [reason] = messageOf(error).split(',');
  if (hasErrno(error, ...FULL))
    return unavailable(
      `The server cannot store it: ${reason}`,
      'Make room on the disk of the desk, and try again.',
    );
  if (hasErrno(error, ...CLOSED))
    return unavailable(
      `The server cannot read or write a file: ${reason}`,
      'Look at the state folder of the server at the desk: it must be writable.',
    );
  if (!ProviderError.isInstance(error)) return undefined;
  const { code, message, hint } = error;
  return { status: code === 'INVALID_INPUT' ? 409 : 503, body: { code, message, hint } };
}

function unavailable(message: string, hint: string): RequestAnswer {
  return { status: 503, body: { code: 'API_UNAVAILABLE', message, hint } };
}
