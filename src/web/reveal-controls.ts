/** Those that the eye cannot see but that change how a text is read. Tab and line feed are left as they are. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

const COMMON_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'NUL'],
  [13, 'CR'],
  [27, 'ESC'],
]);

/** A text in which nothing is hidden: a name with a right-to-left mark cannot pose as another one. */
export function revealControls(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    const number = code.toString(16).toUpperCase().padStart(4, '0');
    return `[${COMMON_NAMES.get(code) ?? `U+${number}`}]`;
  });
}

/** For names: line ends and tabs are shown too. */
export function revealInLine(text: string): string {
  return revealControls(text.replace(/\r?\n/g, '↵').replaceAll('\t', '⇥'));
}

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const TERMINAL_SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[()#%].|[^[\\]])`,
  'g',
);

/** What a program wrote for a terminal, without colours and without the returns of a progress bar. */
export function plainOutput(text: string): string {
  return text.replace(TERMINAL_SEQUENCES, '').replace(/\r\n?/g, '\n');
}
