import type { SessionUpdate } from '../../api/session-update.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { watchSession } from '../../sessions/watch/watch-session.js';

/** What the file of a session at the desk tells. */
export interface DeskFileEvents {
  /** The conversation has changed. */
  readonly accept: (update: SessionUpdate) => void;
  /** Messages were removed: the CLI has forgotten a turn. */
  readonly removed: () => void;
  /** The person has pressed Escape, at this time in milliseconds. */
  readonly cancelled: (atMs: number) => void;
}

/** Watches a session file until the signal is aborted. Remarks of the CLI and repeated contents are no part of the conversation. */
export async function watchDeskFile(
  file: string,
  signal: AbortSignal,
  { accept, removed, cancelled }: DeskFileEvents,
): Promise<void> {
  const marked = new Set<string>();
  for await (const update of watchSession(file, { signal, extras: 'mark' })) {
    if (update.type === 'message' && update.message.mark !== undefined) {
      marked.add(update.message.id);
      if (isCancelNotice(update.message)) cancelled(update.message.timestamp ?? 0);
    } else if (update.type === 'removed') {
      const ids = update.ids.filter((id) => !marked.has(id));
      if (ids.length === 0) continue;
      removed();
      accept({ ...update, ids });
    } else accept(update);
  }
}

/** True for the remark that the CLI writes after Escape. */
function isCancelNotice({ mark, content }: UnifiedMessage): boolean {
  return (
    mark === 'info' &&
    content.some((block) => block.type === 'text' && block.text === 'Request cancelled.')
  );
}
