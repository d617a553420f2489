/** Escapes and quoted texts without a substitution. They are masked, because they contain no shell grammar. */
const LITERAL = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"$`\\]|\$(?!\())*"/g;
const MASK = '\0';
const REDIRECTION = /(?:\d*(?:>>|>\||>|<>|<)&?|&>>?)\s*[^\s;|&<>()`$]+/g;
/** Signs of open quotes, here-documents, substitutions, subshells, jobs, comments and further lines. */
const BEYOND_CHAINS = /["'<>`()\r\n]|(?<!&)&(?!&)|\|&|(?<!\S)#/;
const SEPARATOR = /&&|\|\||[;|]/;
/** First one or two plain words, never a part of a word: the CLI compares a prefix with whole words only. */
const FIRST_WORDS = /^[\w./-]+(?: [a-zA-Z][\w.:/-]*)?(?=\s|$)/;
/** Shell keywords, and shells that run their argument as a command: the CLI checks the commands inside of both. */
const NO_COMMAND =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|(?:\S*\/)?(?:ba|z|da)?sh)$/;
/** Commands for which a rule for all commands is not enough: the CLI considers some of their uses dangerous. */
const GUARDED = /^\s*(?:sudo|rm|ln|find|rg|git|base64)\s/;

export interface CommandRules {
  /** Narrowest prefixes that together allow the command; undefined if no prefixes do. */
  readonly prefixes?: readonly string[];
  /** True if a rule for all commands allows the command. */
  readonly isAllowedByTool: boolean;
  /** True if the prefixes allow the command only together with `allowRedirection`. */
  readonly redirects?: boolean;
}

/** True if the command has a redirection, a here-document or a process substitution outside of quotes. */
export function hasRedirection(command: string): boolean {
  return /[<>]/.test(mask(command));
}

/** Returns the command without quoted texts and without redirections. Signs that are left are of other grammar. */
export function removeRedirections(command: string): string {
  return mask(command).replace(REDIRECTION, ' ');
}

function mask(command: string): string {
  return command.replace(LITERAL, (text) => MASK.repeat(text.length));
}

/**
 * Finds the rules that would allow a shell command. The CLI compares prefixes with the beginning of the whole command
 * and then with the beginning of each part of a chain. A prefix allows no redirection without `allowRedirection`.
 */
export function findCommandRules(command: string): CommandRules {
  const isAllowedByTool = !GUARDED.test(command);
  const plain = removeRedirections(command);
  const redirects = plain !== mask(command);
  if (BEYOND_CHAINS.test(plain)) return { isAllowedByTool };
  const [, ...others] = plain.split(SEPARATOR);
  const found = [plain, ...others.map((part) => part.trim())].flatMap(
    (part) => FIRST_WORDS.exec(part)?.[0] ?? [],
  );
  const isWhole = found.length === others.length + 1;
  if (!isWhole || found.some((words) => NO_COMMAND.test(words.split(' ', 1)[0] ?? ''))) {
    return { isAllowedByTool };
  }
  return { prefixes: [...new Set(found)], isAllowedByTool, redirects };
}
