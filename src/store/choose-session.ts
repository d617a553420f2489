import { compare, type FoundSession } from './numbered-sessions.js';

/** Only this much of the id is in the file's name. */
export const SHORT_ID_LENGTH = 8;

/** By `latest` or by its number, among sessions in the order in which the CLI numbers them. */
export function chooseByNumber(
  sessions: readonly FoundSession[],
  wanted: string,
): FoundSession | undefined {
  return wanted === 'latest' ? sessions.at(-1) : sessions[Number(wanted) - 1];
}

export function isNumber(wanted: string): boolean {
  return wanted === 'latest' || /^[1-9]\d{0,5}$/.test(wanted);
}

/** By its id or the first eight characters of it, the newest of those. */
export function chooseById(
  sessions: readonly FoundSession[],
  wanted: string,
): FoundSession | undefined {
  const newestFirst = sessions.toSorted((a, b) => compare(b.card.updatedAt, a.card.updatedAt));
  const exact = newestFirst.find(({ card }) => card.header.sessionId === wanted);
  const begun = newestFirst.find(({ card }) => {
    return card.header.sessionId.slice(0, SHORT_ID_LENGTH) === wanted;
  });
  return exact ?? begun;
}
