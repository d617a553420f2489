const QUOTED = /\\.|"(?:[^"\\]|\\.)*"|'[^']*'/gs;
const SHELL_WORDS: ReadonlySet<string> = new Set([
  '&&',
  '||',
  '|',
  '&',
  ';',
  '>',
  '>>',
  '<',
  '2>&1',
]);

/** Returns the problem of a command that is given as one text, or undefined if there is none. */
export function findCommandProblem(command: string): string | undefined {
  if (command.trim() === '') return 'must name a program';
  if (command.includes('\0')) return 'must not contain a NUL character';
  const bare = command.replaceAll(QUOTED, 'x');
  if (/["']/.test(bare)) return 'has a quote that is not closed';
  const word = bare.split(/\s+/).find((part) => SHELL_WORDS.has(part) || part.endsWith(';'));
  if (word === undefined) return undefined;
  return `has "${word}", which only a shell understands: give a list of commands, or { command: "sh", args: ["-c", "…"] }`;
}
