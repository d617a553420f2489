import type { ToolRule } from './tool-rule.js';

/** Denying beats allowing. The CLI wants a number from 0 to 999. */
const ALLOW_PRIORITY = 500;
const DENY_PRIORITY = 900;
const SHELL = 'run_shell_command';

/** The rules as a policy file for `--policy`, or undefined where there are none. */
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
  // Allowing all commands includes those that write to a file; the CLI would still ask for these.
  if (decision === 'allow' && rule.tool === SHELL && rule.commandPrefix === undefined) {
    lines.push('allowRedirection = true');
  }
  return `${lines.join('\n')}\n`;
}

/** JSON strings are TOML strings. */
function quote(text: string): string {
  return JSON.stringify(text);
}
