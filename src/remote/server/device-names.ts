/** Names that have a meaning of their own in logs and on the page, so that no device may have them. */
const RESERVED = new Set(['rule', 'desk', 'the desk', 'agent', 'the agent', 'unknown']);
/** Invisible characters: a name must not differ from another one by them alone. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns a name as it is kept: without invisible characters and repeated spaces. */
export function cleanDeviceName(name: string): string {
  return name.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/** True if a device must not have the name: it is empty, or stands for something else in the log. */
export function isReservedName(name: string): boolean {
  const folded = fold(name);
  return folded === '' || RESERVED.has(folded);
}

/** Returns the name with a number, if another device has it already: `Android`, `Android 2`. */
export function numberName(name: string, taken: readonly string[]): string {
  const others = new Set(taken.map(fold));
  let numbered = name;
  for (let number = 2; others.has(fold(numbered)); number++) numbered = `${name} ${number}`;
  return numbered;
}

/** Letters that look alike in two widths or cases count as one. */
function fold(name: string): string {
  return cleanDeviceName(name.normalize('NFKC')).toLowerCase();
}
