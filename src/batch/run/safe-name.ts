import { createHash } from 'node:crypto';

const LONGEST = 80;

/** Maps the id of a step to a file name. Two ids never get the same name. */
export function safeName(id: string): string {
  const plain = id.replace(/[^\w.-]+/g, '_').slice(0, LONGEST);
  const isSame = plain === id && !/^\.*$/.test(plain);
  // An id with capitals gets a hash, because some file systems ignore case.
  if (isSame && plain === plain.toLowerCase()) return plain;
  return `${plain.replace(/^\.+/, '_')}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
}
