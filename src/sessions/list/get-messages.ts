import type { SessionLocation } from '../../api/session.js';
import type { UnifiedMessage, UnifyOptions } from '../../api/unified-message.js';
import { readSession } from '../files/read-session.js';
import { toUnifiedMessages } from '../messages/to-unified-messages.js';
import { requireSessionFile } from './find-session.js';

/** The messages of a session, found as `findSessionFile` finds it, or of a session file. */
export async function getMessages(
  wanted: string | number,
  options: SessionLocation & UnifyOptions = {},
): Promise<UnifiedMessage[]> {
  const file = await requireSessionFile(wanted, options);
  return toUnifiedMessages(await readSession(file), options);
}
