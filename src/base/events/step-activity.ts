import { isAbsolute, relative, sep } from 'node:path';
import type { AgentEvent, SessionStatusEvent } from '../../api/agent-event.js';

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
    case 'text':
    case 'text-delta':
      return event.textKind === 'text' ? 'writing' : 'thinking';
    case 'session-status':
      return describeStatusRemark(event);
    default:
      return undefined;
  }
}

/** True if the step waits for a worker of a queue. */
export function isQueued(
  event: AgentEvent,
): event is SessionStatusEvent & { readonly waitsFor: 'queue' } {
  return event.type === 'session-status' && event.waitsFor === 'queue';
}

/** True if the CLI waits for a time that the API has named, or for the end of a rate limit. */
export function isRateLimit({ status, httpStatus, delayMs }: SessionStatusEvent): boolean {
  if (status !== 'retrying') return false;
  // The CLI's notice has no status if the API has named the time: it does so for rate limits.
  return httpStatus === 429 || (httpStatus === undefined && delayMs !== undefined);
}

/** Describes a remark of an agent. The CLI's own notice of a retry ends with the whole answer of the API. */
function describeStatusRemark(event: SessionStatusEvent): string {
  const { status, httpStatus, attempt, ofProcess, message } = event;
  const isLimited = isRateLimit(event);
  if (status !== 'retrying' || (httpStatus === undefined && !isLimited)) return message;
  if (ofProcess === true) {
    const notice = isLimited ? 'rate limit' : `HTTP ${httpStatus}`;
    return `waiting for the model (${notice} on its process)`;
  }
  const answer = isLimited ? 'rate limited' : `HTTP ${httpStatus}`;
  return `${answer}, the CLI tries again${attempt === undefined ? '' : ` (${attempt})`}`;
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
