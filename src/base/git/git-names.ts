/** Names as git gives them: all bytes but NUL may be in them. */
export interface Names {
  readonly readable: readonly string[];
  /** Not UTF-8, written so that two of them differ: `bad\xff`. */
  readonly unreadable: readonly string[];
}

/** From one character for each byte. */
export function parseNames(latin1: readonly string[]): Names {
  const readable: string[] = [];
  const unreadable: string[] = [];
  for (const name of latin1) {
    if (name === '') continue;
    const bytes = Buffer.from(name, 'latin1');
    const text = bytes.toString();
    if (Buffer.from(text).equals(bytes)) readable.push(text);
    else unreadable.push(name.replace(/[\x80-\xff]/g, escapeByte));
  }
  return { readable, unreadable };
}

function escapeByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16)}`;
}

/** One name for people, whatever bytes it has. */
export function describeName(latin1: string): string {
  const { readable, unreadable } = parseNames([latin1]);
  return [...readable, ...unreadable].join('');
}
