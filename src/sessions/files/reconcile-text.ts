import { stripVTControlCharacters } from 'node:util';

export interface ReconciledText {
  readonly text: string;
  /** Correction by the session file: text that a retry repeated was removed, or missing text was added. */
  readonly correction: 'none' | 'repeated' | 'missing';
}

/**
 * Decides the text of the model from the stream and the session file. The stream has exact white space, but has an
 * answer twice if the CLI requested it again after an error, and may lack the end. The session file has each answer
 * once, trimmed. For each answer the text of the stream counts, unless the session file contradicts it.
 */
export function reconcileText(
  streamed: readonly string[],
  recorded: readonly string[] | undefined,
): ReconciledText {
  const text = streamed.join('');
  if (recorded === undefined || recorded.length === 0) return { text, correction: 'none' };
  if (withoutBlanks(text) === withoutBlanks(recorded.join(''))) return { text, correction: 'none' };
  const answers: ReconciledText[] = [];
  let compared = 0;
  for (const answer of streamed) {
    // The session file does not record an answer of blanks.
    if (answer.trim() === '') answers.push({ text: answer, correction: 'none' });
    else answers.push(compareAnswer(answer, recorded[compared++]));
  }
  for (const answer of recorded.slice(compared)) {
    answers.push({ text: answer, correction: 'missing' });
  }
  const corrections = new Set(answers.map(({ correction }) => correction));
  const worst = (['missing', 'repeated'] as const).find((correction) =>
    corrections.has(correction),
  );
  return { text: answers.map((answer) => answer.text).join(''), correction: worst ?? 'none' };
}

function compareAnswer(streamed: string, recorded: string | undefined): ReconciledText {
  // The answer was still being streamed, so the session file does not have it yet.
  if (recorded === undefined) return { text: streamed, correction: 'none' };
  if (streamed.trim() === recorded) return { text: streamed, correction: 'none' };
  if (recorded.startsWith(streamed.trim())) return { text: recorded, correction: 'missing' };
  // The last retry is at the end of the stream, with the blanks that the session file lacks.
  const last = streamed.lastIndexOf(recorded);
  if (last > 0) return { text: streamed.slice(last), correction: 'repeated' };
  return { text: streamed, correction: 'none' };
}

/** Removes white space and terminal codes, which stream and session file treat differently. */
function withoutBlanks(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, '');
}
