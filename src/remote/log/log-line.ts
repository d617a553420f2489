import { createHash } from 'node:crypto';
import type { RemoteEntry } from '../../api/remote-entry.js';
import { isObject } from '../../base/json/is-object.js';

const CHECKSUM_LENGTH = 16;

/** Returns the line of an entry: a checksum, a blank, and the entry as JSON. */
export function formatLogLine(entry: RemoteEntry): string {
  const json = JSON.stringify(entry);
  return `${checksumOf(json)} ${json}\n`;
}

/**
 * Reads a line of a log. Returns undefined for a line that was cut off or changed: the checksum does not match then. The
 * folder of the log belongs to the user alone, so the checksum is about damage, not about forgery.
 */
export function parseLogLine(line: string): RemoteEntry | undefined {
  const json = line.slice(CHECKSUM_LENGTH + 1);
  if (line[CHECKSUM_LENGTH] !== ' ' || line.slice(0, CHECKSUM_LENGTH) !== checksumOf(json))
    return undefined;
  const value: unknown = JSON.parse(json);
  return isEntry(value) ? value : undefined;
}

function checksumOf(json: string): string {
  return createHash('sha256').update(json).digest('hex').slice(0, CHECKSUM_LENGTH);
}

function isEntry(value: unknown): value is RemoteEntry {
  return (
    isObject(value) &&
    typeof value['seq'] === 'number' &&
    typeof value['at'] === 'string' &&
    isObject(value['content'])
  );
}
