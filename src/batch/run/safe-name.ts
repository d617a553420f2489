import { createHash } from 'node:crypto';

const LONGEST = 80;

/** A name for a file, by the id of a step; two ids never have the same. */
export function safeName(id: string): string {
  const plain = id.replace(/[^\w.-]+/g, '_').slice(0, LONGEST);
  const isSame = plain === id && !/^\.*$/.test(plain);
  // Some file systems do not tell upper from lower case.
  if (isSame && plain === plain.toLowerCase()) return plain;
  return `${plain.replace(/^\.+/, '_')}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
}
