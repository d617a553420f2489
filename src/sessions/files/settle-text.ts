import { stripVTControlCharacters } from 'node:util';

export interface SettledText {
  readonly text: string;
  /** What the session file had to correct: text said twice by a retry, or text that never arrived. */
  readonly correction: 'none' | 'repeated' | 'missing';
}

/**
 * Settles what the model said from two witnesses. The stream is exact to the blank, but a broken answer that
 * the CLI asks for again is in it twice, and its end may be missing. The session file has each answer once,
 * trimmed. Turn by turn the stream's version counts unless the session file contradicts it.
 */
export function settleText(
  streamed: readonly string[],
  recorded: readonly string[] | undefined,
): SettledText {
  const text = streamed.join('');
  if (recorded === undefined || recorded.length === 0) return { text, correction: 'none' };
  if (essence(text) === essence(recorded.join(''))) return { text, correction: 'none' };
  const turns: SettledText[] = [];
  let spoken = 0;
  for (const turn of streamed) {
    // The session file has no record of a turn of blanks.
    if (turn.trim() === '') turns.push({ text: turn, correction: 'none' });
    else turns.push(settleTurn(turn, recorded[spoken++]));
  }
  for (const turn of recorded.slice(spoken)) turns.push({ text: turn, correction: 'missing' });
  const corrections = new Set(turns.map(({ correction }) => correction));
  const worst = (['missing', 'repeated'] as const).find((correction) =>
    corrections.has(correction),
  );
  return { text: turns.map((turn) => turn.text).join(''), correction: worst ?? 'none' };
}

function settleTurn(streamed: string, recorded: string | undefined): SettledText {
  // A turn that was still being said has no record yet.
  if (recorded === undefined) return { text: streamed, correction: 'none' };
  if (streamed.trim() === recorded) return { text: streamed, correction: 'none' };
  if (recorded.startsWith(streamed.trim())) return { text: recorded, correction: 'missing' };
  // The last attempt stands at the end, with the blanks that the record lacks.
  const last = streamed.lastIndexOf(recorded);
  if (last > 0) return { text: streamed.slice(last), correction: 'repeated' };
  return { text: streamed, correction: 'none' };
}

/** Blanks and terminal codes are treated differently by the two; everything else must agree. */
function essence(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, '');
}
