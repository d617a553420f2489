import { type FoundSession, isBetter } from './numbered-sessions.js';

/** Only this much of the id is in the file's name. */
export const SHORT_ID_LENGTH = 8;

/** By `latest` or by its number, among sessions in the order in which the CLI numbers them. */
export function chooseByNumber(
  sessions: readonly FoundSession[],
  wanted: string,
): FoundSession | undefined {
  if (wanted === 'latest') return sessions.at(-1);
  // Somebody may have chosen a number for an id, which then comes first.
  const named = sessions.find(({ card }) => card.header.sessionId === wanted);
  return named ?? sessions[Number(wanted) - 1];
}

export function isNumber(wanted: string): boolean {
  return wanted === 'latest' || /^[1-9]\d{0,5}$/.test(wanted);
}

/** By its id or the first eight characters of it; of several files the one with most to say. */
export function chooseById(
  sessions: readonly FoundSession[],
  wanted: string,
): FoundSession | undefined {
  const best = sessions.toSorted((a, b) => {
    return isBetter(b.card, a.card) ? 1 : isBetter(a.card, b.card) ? -1 : 0;
  });
  const exact = best.find(({ card }) => card.header.sessionId === wanted);
  const begun = best.find(({ card }) => {
    return card.header.sessionId.slice(0, SHORT_ID_LENGTH) === wanted;
  });
  return exact ?? begun;
}
