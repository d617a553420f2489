/** Rule for a tool (`write_file`), or for shell commands by their first words (`run_shell_command(npm test)`). */
export interface ToolRule {
  readonly tool: string;
  readonly commandPrefix: string | undefined;
  /** True if the commands of this rule may redirect their input and output. Only in rules of `allowedTools`. */
  readonly allowsRedirection?: boolean | undefined;
}

const SHELL = 'run_shell_command';
/** Names of the shell tool in this CLI, in older ones and in Claude Code. */
const SHELL_ALIASES: ReadonlySet<string> = new Set([SHELL, 'ShellTool', 'Bash']);
const RULE = /^([\w.*-]+)(?:\((.*)\))?$/s;

export function parseToolRule(rule: string): ToolRule | undefined {
  const match = RULE.exec(rule.trim());
  if (match?.[1] === undefined) return undefined;
  const tool = SHELL_ALIASES.has(match[1]) ? SHELL : match[1];
  // Other agents write a prefix as `run_shell_command(git:*)` or `Bash(git *)`.
  const prefix = match[2]?.replace(/(?::|\s)\*$/, '').trim();
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

/** Parses rules that `findToolRuleProblem` has accepted. */
export function parseToolRules(rules: readonly string[]): ToolRule[] {
  return rules.flatMap((rule) => parseToolRule(rule) ?? []);
}

/** True for a rule about shell commands. It applies to the shell tool of every agent, whatever its name. */
export function isShellRule({ tool }: ToolRule): boolean {
  return tool === SHELL;
}

export function renderToolRule({ tool, commandPrefix }: ToolRule): string {
  return commandPrefix === undefined ? tool : `${tool}(${commandPrefix})`;
}

/**
 * Parses the rules of `allowedTools` and adds to each shell rule if its commands may redirect. A rule for all commands
 * includes redirections by default: such a rule allows other ways to write a file anyway.
 */
export function parseAllowedTools(
  rules: readonly string[],
  allowRedirection: boolean | readonly string[] | undefined,
): ToolRule[] {
  const listed =
    typeof allowRedirection === 'object'
      ? new Set(parseToolRules(allowRedirection).map(renderToolRule))
      : undefined;
  return parseToolRules(rules).map((rule) => {
    if (!isShellRule(rule)) return rule;
    const byDefault = rule.commandPrefix === undefined;
    const allowsRedirection = listed?.has(renderToolRule(rule)) ?? allowRedirection ?? byDefault;
    return { ...rule, allowsRedirection: allowsRedirection === true };
  });
}

/** Finds entries of `allowRedirection` that no rule of `allowedTools` equals: they would have no effect. */
export function findStrayRedirections(
  allowRedirection: readonly string[],
  allowedTools: readonly string[],
): string[] {
  const allowed = new Set(parseToolRules(allowedTools).filter(isShellRule).map(renderToolRule));
  return allowRedirection.filter((entry) => {
    const rule = parseToolRule(entry);
    return rule === undefined || !allowed.has(renderToolRule(rule));
  });
}
