import type { RemoteRequest } from '../../api/remote-request.js';
import { digestJson } from '../../base/json/digest-json.js';

/** Returns the hash of a tool call. An answer that allows the call repeats the hash, so that it holds for this call alone. */
export function hashToolCall({
  toolName,
  input,
  diff,
  text,
}: Pick<RemoteRequest, 'toolName' | 'input' | 'diff' | 'text'>): string {
  return digestJson([toolName, input, diff ?? null, text ?? null]);
}
