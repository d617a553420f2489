import { STATUS_CODES } from 'node:http';
import { firstLine } from '../../base/text/first-line.js';

/** A status behind up to three prefixes that name the failed part: `Internal error: API Error: 401 …`. */
const LEADING = /^(?:[\w ]{0,40}\berror\b[:!]? {0,2}){0,3}\(?([45]\d\d)\b/i;
const NAMED = /\b(?:HTTP|status code|error code)\W{0,3}([45]\d\d)\b/i;
const WITH_REASON = /\b([45]\d\d) ([A-Z][A-Za-z' -]+)/g;
const TRAILING = /\b([45]\d\d)\W?$/;
const NAMES_API = /\bAPI|\bHTTP|\bstatus\b/i;

/**
 * Finds the HTTP status in an agent's message about a failed request to its model. A number without a name counts
 * only at the end of the line, and only if the line or the details mention an API.
 */
export function findHttpStatus(words: string, details = ''): number | undefined {
  const line = firstLine(words);
  const found = LEADING.exec(line)?.[1] ?? NAMED.exec(line)?.[1] ?? findWithReason(line);
  if (found !== undefined) return Number(found);
  const status = statusOfReason(line);
  if (status !== undefined) return status;
  const last = NAMES_API.test(`${line} ${details}`) ? TRAILING.exec(line)?.[1] : undefined;
  return last === undefined ? undefined : Number(last);
}

function findWithReason(line: string): string | undefined {
  const matches = [...line.matchAll(WITH_REASON)];
  return matches.find(([, code = '', phrase = '']) => {
    const reason = STATUS_CODES[code];
    return reason !== undefined && phrase.startsWith(reason);
  })?.[1];
}

/** Returns the status of a message that ends with a bare reason phrase: `Internal error: Too Many Requests`. */
function statusOfReason(line: string): number | undefined {
  const phrase = line.split(': ').at(-1)?.toLowerCase();
  const entry = Object.entries(STATUS_CODES).find(([code, reason]) => {
    return Number(code) >= 400 && reason?.toLowerCase() === phrase;
  });
  return entry && Number(entry[0]);
}
