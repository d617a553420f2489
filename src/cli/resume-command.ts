/** Texts that a shell takes as they are. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Returns the command that resumes a batch: the one that was given, without `--fresh`. Values of `--env` are left out,
 * because the command is printed into logs.
 */
export function describeResumeCommand(argv: readonly string[]): string {
  const words: string[] = [];
  let isVariable = false;
  for (const word of argv) {
    if (word === '--fresh') continue;
    const shown = isVariable ? hideValue(word) : word.replace(/^(--env=\w+)=.*$/s, '$1=…');
    isVariable = word === '--env';
    words.push(quoteWord(shown));
  }
  return ['gemini-cli-provider', ...words].join(' ');
}

function hideValue(word: string): string {
  return word.replace(/=.*$/s, '=…');
}

/** Quotes a word for a POSIX shell if the shell would change it. */
export function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
