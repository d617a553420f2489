/** `write_file`, or `run_shell_command(npm test)`: a tool, and for shell commands the words they start with. */
export interface ToolRule {
  readonly tool: string;
  readonly commandPrefix: string | undefined;
}

const SHELL = 'run_shell_command';
/** Names that older CLIs and their documentation used. */
const SHELL_ALIASES: ReadonlySet<string> = new Set([SHELL, 'ShellTool']);
const RULE = /^([\w.*-]+)(?:\((.*)\))?$/s;

export function parseToolRule(rule: string): ToolRule | undefined {
  const match = RULE.exec(rule.trim());
  if (match?.[1] === undefined) return undefined;
  const tool = SHELL_ALIASES.has(match[1]) ? SHELL : match[1];
  // `run_shell_command(git:*)` is how other agents write a prefix.
  const prefix = match[2]?.replace(/:\*$/, '').trim();
  return { tool, commandPrefix: prefix === '' || prefix === '*' ? undefined : prefix };
}

export function findToolRuleProblem(rule: string): string | undefined {
  const parsed = parseToolRule(rule);
  if (parsed === undefined) {
    return 'must be the name of a tool, or run_shell_command(first words of the command)';
  }
  if (parsed.commandPrefix !== undefined && /\p{Cc}/u.test(parsed.commandPrefix)) {
    return 'must not contain control characters';
  }
  if (parsed.commandPrefix !== undefined && parsed.tool !== SHELL) {
    return `only ${SHELL} takes words in parentheses`;
  }
  return undefined;
}

/** The parsed form of rules that `findToolRuleProblem` has passed. */
export function parseToolRules(rules: readonly string[]): ToolRule[] {
  return rules.flatMap((rule) => parseToolRule(rule) ?? []);
}

/** Every agent calls its shell something else: such a rule is for whatever runs commands. */
export function isShellRule({ tool }: ToolRule): boolean {
  return tool === SHELL;
}

export function renderToolRule({ tool, commandPrefix }: ToolRule): string {
  return commandPrefix === undefined ? tool : `${tool}(${commandPrefix})`;
}
