/** Longest glob in characters. No path is longer, and the file search throws for much longer patterns. */
const LONGEST = 4096;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Returns the problem in the text of a glob, or undefined if there is none. */
export function findGlobProblem(glob: string): string | undefined {
  if (glob.includes('\0')) return 'must not contain a NUL character';
  if (glob.length > LONGEST) return `must have at most ${LONGEST} characters`;
  const open: string[] = [];
  for (let index = 0; index < glob.length; index++) {
    const letter = glob[index] ?? '';
    if (letter === '\\') index++;
    else if (letter === open.at(-1)) open.pop();
    else if (open.at(-1) !== ']' && letter in CLOSING) open.push(CLOSING[letter] ?? '');
  }
  const missing = open.at(-1);
  return missing && `is not a glob: "${missing}" is missing; write \\ before a literal bracket`;
}

/** Returns the problem of a glob that must be relative to the working directory of a step. */
export function findRelativeGlobProblem(glob: string): string | undefined {
  const isAbsolute = /^!?(\/|[A-Za-z]:[\\/])/.test(glob);
  return isAbsolute ? 'must be relative to the working directory' : findGlobProblem(glob);
}
