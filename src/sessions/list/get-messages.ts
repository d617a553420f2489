import type { SessionLocation } from '../../api/session-list.js';
import type { UnifiedMessage, UnifyOptions } from '../../api/unified-message.js';
import { readSession } from '../files/read-session.js';
import { toUnifiedMessages } from '../messages/to-unified-messages.js';
import { acceptMessageOptions } from '../session-input.js';
import { requireSessionFile } from './find-session.js';

/** Reads the unified messages of a session, given as for `findSessionFile` or as the path of a file. */
export async function getMessages(
  wanted: string | number,
  options: SessionLocation & UnifyOptions = {},
): Promise<UnifiedMessage[]> {
  const { extras, ...location } = acceptMessageOptions(options);
  const file = await requireSessionFile(wanted, location);
  return toUnifiedMessages(await readSession(file), { extras });
}
