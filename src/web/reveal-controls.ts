/** Invisible characters that change how a text is read, except tab and line feed. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

const COMMON_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'NUL'],
  [13, 'CR'],
  [27, 'ESC'],
]);

/** Replaces invisible characters by visible names: a name with a right-to-left mark must not look like another name. */
export function revealControls(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    const number = code.toString(16).toUpperCase().padStart(4, '0');
    return `[${COMMON_NAMES.get(code) ?? `U+${number}`}]`;
  });
}

/** Reveals the invisible characters of a name, including line ends and tabs. */
export function revealInLine(text: string): string {
  return revealControls(text.replace(/\r?\n/g, '↵').replaceAll('\t', '⇥'));
}

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const TERMINAL_SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[()#%].|[^[\\]])`,
  'g',
);

/**
 * Removes colours and other terminal sequences from the output of a program. Carriage returns, as of a progress bar,
 * become line feeds.
 */
export function plainOutput(text: string): string {
  return text.replace(TERMINAL_SEQUENCES, '').replace(/\r\n?/g, '\n');
}
