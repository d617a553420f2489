import { resolve } from 'node:path';
import type { LoadMessagesOptions, SessionLocation } from '../../api/session-list.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { acceptLoadOptions } from '../session-input.js';
import { getMessages } from './get-messages.js';
import { listSessions } from './list-sessions.js';

/**
 * Reads the unified messages of a session of a project. Without a `sessionId` it is the session that was changed last:
 * unlike `latest`, which is the session that was started last, as the CLI numbers them.
 */
export async function loadMessages(options: LoadMessagesOptions = {}): Promise<UnifiedMessage[]> {
  const { sessionId, projectDir = process.cwd(), geminiHome, extras } = acceptLoadOptions(options);
  const location = { projectDir, geminiHome };
  const wanted = sessionId ?? (await findChangedLast(location));
  return getMessages(wanted, { ...location, extras });
}

async function findChangedLast({ projectDir = '.', geminiHome }: SessionLocation): Promise<string> {
  const sessions = await listSessions({ projectDir, geminiHome });
  // A session without a number has no message of the user or the model, or lies in a folder of an older CLI.
  const session = sessions.find(({ number }) => number !== undefined) ?? sessions[0];
  if (session !== undefined) return session.file;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `No Gemini session found for project: ${resolve(projectDir)}`,
    hint: 'Run a step in this folder first, or name another project with `projectDir`.',
  });
}
