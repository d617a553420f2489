/** Letters that are compared. The screen renders Markdown: it drops signs, wraps lines and numbers lines of code. */
const COMPARED_LETTERS = 60;

/** True if a text of the screen is the beginning of a text of the model, or begins like it. */
export function isShown(text: string, onScreen: string): boolean {
  const [wanted, shown] = [lettersOf(text), lettersOf(onScreen)];
  return shown !== '' && wanted.startsWith(shown);
}

function lettersOf(text: string): string {
  return text.replace(/\P{L}/gu, '').slice(0, COMPARED_LETTERS);
}
