/** Control characters but tab and newline. `ESC[201~` would end a bracketed paste, and the rest would be typed as keys. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
/** Invisible characters that the CLI removes: a slash behind them would become the first character, and the text a command. */
const INVISIBLE = /[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/**
 * Returns a prompt as it can be pasted into the CLI. The blank at the end closes a list of completions and keeps a last
 * backslash from turning Enter into a new line; the CLI removes it.
 */
export function toPaste(text: string): string {
  return `${text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(INVISIBLE, '')} `;
}

/** True if the CLI would take a pasted text for one of its commands. */
export function isCliCommand(text: string): boolean {
  return toPaste(text).trimStart().startsWith('/');
}

/** Returns a text without blanks and frames, in which a command or a name is found however the screen has wrapped it. */
export function squeeze(text: string): string {
  return text.replace(/[\s│╭╮╰╯─]/g, '');
}

/** True if a text of the screen contains another text, however it is wrapped. */
export function isInText(onScreen: string, text: string): boolean {
  return squeeze(onScreen).includes(squeeze(text));
}
