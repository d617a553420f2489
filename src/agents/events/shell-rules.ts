/** Escapes and quoted texts without a substitution inside. Masked, because nothing in them is grammar. */
const LITERAL = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"$`\\]|\$(?!\())*"/g;
const MASK = '\0';
const REDIRECTION = /(?:\d*(?:>>|>|<)&?|&>>?)\s*[^\s;|&<>()`$]+/g;
/** What is left of quotes, here-documents, substitutions, subshells, jobs, comments, and more lines than one. */
const BEYOND_CHAINS = /["'<>`()\r\n]|(?<!&)&(?!&)|\|&|(?<!\S)#/;
const SEPARATOR = /&&|\|\||[;|]/;
/** One or two plain words, and whole ones: the CLI compares a prefix only with these. */
const FIRST_WORDS = /^[\w./-]+(?: [a-zA-Z][\w.:/-]*)?(?=\s|$)/;
/** Words of the shell's grammar, and shells whose argument is a command again: the CLI looks inside of both. */
const NO_COMMAND =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|(?:\S*\/)?(?:ba|z|da)?sh)$/;
/** Where a rule for all commands is not enough: the CLI holds some uses of these for dangerous. */
const GUARDED = /^\s*(?:sudo|rm|ln|find|rg|git|base64)\s/;

export interface CommandRules {
  /** The narrowest prefixes that together allow the command; undefined where none do. */
  readonly prefixes?: readonly string[];
  /** Whether a rule for all commands allows it. */
  readonly isAllowedByTool: boolean;
}

/**
 * What would allow a shell command. The CLI looks for a rule at the beginning of the whole command and then, because
 * it checks a chain part by part, at that of each part. Only `auto_edit` lets a prefix allow a redirection too.
 */
export function findCommandRules(command: string, approvalMode?: string): CommandRules {
  const isAllowedByTool = !GUARDED.test(command);
  const masked = command.replace(LITERAL, (text) => MASK.repeat(text.length));
  const plain = masked.replace(REDIRECTION, ' ');
  if (plain !== masked && approvalMode !== 'auto_edit') return { isAllowedByTool };
  if (BEYOND_CHAINS.test(plain)) return { isAllowedByTool };
  const [, ...others] = plain.split(SEPARATOR);
  const found = [plain, ...others.map((part) => part.trim())].flatMap(
    (part) => FIRST_WORDS.exec(part)?.[0] ?? [],
  );
  const isWhole = found.length === others.length + 1;
  if (!isWhole || found.some((words) => NO_COMMAND.test(words.split(' ', 1)[0] ?? ''))) {
    return { isAllowedByTool };
  }
  return { prefixes: [...new Set(found)], isAllowedByTool };
}
