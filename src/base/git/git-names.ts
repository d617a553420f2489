/** File names as git prints them. A name may contain every byte but NUL. */
export interface Names {
  readonly readable: readonly string[];
  /** Names that are not UTF-8. Each invalid byte is escaped (`bad\xff`), so that different names stay different. */
  readonly unreadable: readonly string[];
}

/** Sorts names into readable and unreadable ones. The input is decoded as latin1: one character per byte. */
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

/** Returns one name as text for messages, with escaped bytes if the name is not UTF-8. */
export function describeName(latin1: string): string {
  const { readable, unreadable } = parseNames([latin1]);
  return [...readable, ...unreadable].join('');
}
