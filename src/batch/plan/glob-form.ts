/** No path is longer, and the search for files throws on what is much longer. */
const LONGEST = 4096;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** What is wrong with a glob, as far as its text tells. */
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
  return (
    missing && `is no glob: a "${missing}" is missing; write \\ before a bracket that means itself`
  );
}

/** The files of a step are named relative to its working directory. */
export function findRelativeGlobProblem(glob: string): string | undefined {
  const isAbsolute = /^!?(\/|[A-Za-z]:[\\/])/.test(glob);
  return isAbsolute ? 'must be relative to the working directory' : findGlobProblem(glob);
}
