import { hasErrno } from './errno.js';
import { messageOf } from './message-of.js';

/** Text of an error of a write for which the disk, or the user's share of it, has no room. */
export const OUT_OF_SPACE = /\b(?:ENOSPC|EDQUOT)\b|no space left on device|disk quota exceeded/i;

/** True if the error, or one that led to it, says that a disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  for (
    let at: unknown = error, depth = 0;
    at instanceof Error && depth < 10;
    at = at.cause, depth++
  )
    if (hasErrno(at, 'ENOSPC', 'EDQUOT') || OUT_OF_SPACE.test(messageOf(at))) return true;
  return false;
}
