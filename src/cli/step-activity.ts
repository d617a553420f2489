import { isAbsolute, relative, sep } from 'node:path';
import type { AgentEvent } from '../api/agent-event.js';

/** Returns what a step does after an event of its agent; undefined if the event changes nothing. */
export function describeActivity(
  event: AgentEvent,
  folders: readonly string[] = [],
): string | undefined {
  switch (event.type) {
    // A long silence after the prompt is the model's: the row must not say that the step is starting.
    case 'user-input':
    case 'tool-completion':
      return 'waiting for the model';
    case 'tool-invocation': {
      const [path] = event.locations ?? [];
      const { command } = event.input;
      const subject = path === undefined ? command : showPath(path, folders);
      return typeof subject === 'string' ? `${event.toolName} ${subject}` : event.toolName;
    }
    case 'text-delta':
      return event.textKind === 'text' ? 'writing' : 'thinking';
    case 'session-status':
      return event.message;
    default:
      return undefined;
  }
}

/** Returns a path relative to the first of the folders that contains it; the path itself if none does. */
function showPath(path: string, folders: readonly string[]): string {
  if (!isAbsolute(path)) return path;
  const inside = folders.map((folder) => relative(folder, path)).find(isBelow);
  return inside ?? path;
}

function isBelow(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
