import { isShellRule, type ToolRule } from './tool-rule.js';

/** Priorities from 0 to 999. A denial has the higher one, so that it overrides a permission. */
const ALLOW_PRIORITY = 500;
const DENY_PRIORITY = 900;

/** Renders the rules as a policy file for `--policy`. Returns undefined if there are no rules. */
export function renderPolicy(
  allowed: readonly ToolRule[],
  denied: readonly ToolRule[],
): string | undefined {
  if (allowed.length === 0 && denied.length === 0) return undefined;
  return [
    ...allowed.map((rule) => renderRule(rule, 'allow', ALLOW_PRIORITY)),
    ...denied.map((rule) => renderRule(rule, 'deny', DENY_PRIORITY)),
  ].join('\n');
}

function renderRule(rule: ToolRule, decision: 'allow' | 'deny', priority: number): string {
  const lines = ['[[rule]]', `toolName = ${quote(rule.tool)}`];
  if (rule.commandPrefix !== undefined) lines.push(`commandPrefix = ${quote(rule.commandPrefix)}`);
  lines.push(`decision = "${decision}"`, `priority = ${priority}`);
  // A rule for all commands includes those with a redirection. Without this key the CLI would still ask for these.
  if (decision === 'allow' && isShellRule(rule) && rule.commandPrefix === undefined) {
    lines.push('allowRedirection = true');
  }
  return `${lines.join('\n')}\n`;
}

/** Renders a TOML string. Every JSON string is a valid TOML string. */
function quote(text: string): string {
  return JSON.stringify(text);
}
