/** Characters that JSON allows in a text although a terminal or a line reader obeys them: DEL, C1, bidi marks, separators. */
const OBEYED = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;

/** Writes a value as JSON without control characters. The escapes of JSON take their place, so that the value is the same. */
export function safeJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Escapes control characters in JSON text. Outside of strings, JSON has none of them. */
export function escapeControls(json: string): string {
  return json.replace(OBEYED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
