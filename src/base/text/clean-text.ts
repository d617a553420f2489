const LONGEST_LINE = 120;

const ESC = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** C1 controls that begin a CSI sequence, begin a string (DCS, SOS, OSC, PM, APC), and end a string (ST). */
const [CSI, STRING_STARTS, ST] = [[0x9b], [0x90, 0x98, 0x9d, 0x9e, 0x9f], [0x9c]].map((codes) =>
  String.fromCharCode(...codes),
);

/**
 * Complete terminal sequences. The content of a string sequence (a title, a link, the clipboard) has no control
 * characters, so that each character is looked at once, whatever the text is.
 */
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `(?:${ESC}[\\]PX^_]|[${STRING_STARTS}])\\P{Cc}*(?:${BELL}|${ESC}\\\\|${ST})`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'gu',
);

/** Control characters except tab and line feed, marks that reorder a line, and separators that some programs obey. */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const HALF_PAIRS = /\p{Cs}/gu;

/**
 * Removes everything that a terminal would obey instead of showing: escape sequences, control characters (C0, DEL,
 * C1), and marks that reorder a line. Line feeds and tabs stay. An incomplete sequence loses its control character and
 * stays as text, so that no cut of a text into pieces lets a sequence through.
 */
export function cleanText(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '').replace(HALF_PAIRS, '\ufffd');
}

/** Cleans a name, such as that of a file: with a line feed in it, a name could look like a line of this package. */
export function cleanName(name: string): string {
  return cleanText(name.replace(/[\n\t]+/g, ' '));
}

/** Cleans a text and shortens it to one line of at most 120 characters. */
export function cleanLine(text: string): string {
  const line = cleanText(text.slice(0, LONGEST_LINE * 8))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}
