/** Program and arguments of a command line, or the problem that prevents the split. */
export type SplitCommand =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly problem: string };

const NO_SHELL = 'commands run without a shell';
/** Characters that a shell would act upon. Longer operators come first. */
const OPERATOR = /^(?:&&|\|\||>>|<<|\$\(|\$\{|\$\w|[|&;<>`(){}*?[\]\n\r])/;
/** Expansions that a shell carries out between double quotes too. */
const EXPANSION = /^(?:\$\(|\$\{|\$\w|`)/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * Splits a line at blanks, as a shell does. Text between `'…'` is literal. A backslash escapes the next character;
 * between `"…"` it escapes only `"`, `$`, a backtick and the backslash. An operator that needs a shell is a problem.
 */
export function splitCommandLine(line: string): SplitCommand {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  const text = line.trim();
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === "'") {
      if (character === "'") quote = undefined;
      else word += character;
      continue;
    }
    const operator = (quote === undefined ? OPERATOR : EXPANSION).exec(text.slice(at, at + 3))?.[0];
    if (operator !== undefined) return { problem: describeOperator(operator) };
    if (character === '\\' && (quote === undefined || '"\\$`'.includes(next))) {
      if (next === '') return { problem: 'ends with a backslash' };
      word = (word ?? '') + next;
      at++;
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === undefined && (character === ' ' || character === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && word === undefined && character === '~') {
      return { problem: describeOperator('~') };
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) return { problem: `has a ${quote} that is not closed` };
  if (word !== undefined) words.push(word);
  return toCommand(words);
}

function toCommand([command, ...args]: readonly string[]): SplitCommand {
  if (command === undefined || command === '') return { problem: 'must name a program' };
  if (ASSIGNMENT.test(command)) {
    return { problem: `begins with a variable, but ${NO_SHELL}: set it in env` };
  }
  return { command, args };
}

function describeOperator(operator: string): string {
  const shown = /[\n\r]/.test(operator) ? 'a line break' : operator;
  return `has ${shown}, which only a shell understands, but ${NO_SHELL}: quote it, give a list of commands, or { command: "sh", args: ["-c", "…"] }`;
}
