import type { ApprovalMode } from '../api/provider-config.js';
import { renderProtection } from './policy-protection.js';
import type { ProtectedPaths } from './protected-paths.js';
import { isShellRule, type ToolRule } from './tool-rule.js';

/** Priorities from 0 to 999. A denial has the higher one, so that it overrides a permission. */
const ASK_PRIORITY = 20;
const MODE_PRIORITY = 400;
const ALLOW_PRIORITY = 500;
const DENY_PRIORITY = 900;
const SWITCH_PRIORITY = 960;

/** Modes of the CLI, by the names of policy files, in which the guards hold. In `yolo` everything is allowed. */
const GUARDED_MODES = 'modes = ["default", "autoEdit", "plan"]';

export interface PolicyRequest {
  readonly config: {
    readonly approvalMode: ApprovalMode;
    readonly allowedTools: readonly ToolRule[];
    readonly deniedTools: readonly ToolRule[];
    readonly protectedPaths: ProtectedPaths;
  };
  /**
   * Working directory of the process; undefined for a warm process, which serves steps of several modes in several
   * folders. Such a process asks this package before each edit and each command.
   */
  readonly workingDir: string | undefined;
}

/** Renders the rules and guards of a step as a policy file for `--policy`. Returns undefined if there are none. */
export function renderPolicy({ config, workingDir }: PolicyRequest): string | undefined {
  const isWarm = workingDir === undefined;
  const isGuarded = isWarm || config.approvalMode !== 'yolo';
  const rules = [
    ...config.allowedTools.map((rule) => renderRule(rule, 'allow', ALLOW_PRIORITY)),
    ...config.deniedTools.map((rule) => renderRule(rule, 'deny', DENY_PRIORITY)),
    ...(isWarm ? [ASK_FOR_COMMANDS] : renderMode(config.approvalMode)),
    ...(isGuarded ? MODE_SWITCHES : []),
    ...renderProtection(config.protectedPaths, isGuarded ? GUARDED_MODES : undefined, workingDir),
  ];
  return rules.length === 0 ? undefined : rules.join('\n');
}

/**
 * Tools of the approval mode `auto_edit`. The CLI runs in its mode `default` and these rules allow the edits: in its own
 * mode `autoEdit`, the CLI lets every allowed command redirect its output into any file.
 */
const EDIT_TOOLS = ['write_file', 'replace', 'web_fetch'];

function renderMode(approvalMode: ApprovalMode): string[] {
  if (approvalMode !== 'auto_edit') return [];
  return EDIT_TOOLS.map((tool) => {
    return renderRule({ tool, commandPrefix: undefined }, 'allow', MODE_PRIORITY);
  });
}

/**
 * Refuses the tools that enter and leave the plan mode: when a headless CLI leaves the plan mode, it continues in the
 * mode `yolo`, whatever its mode was before.
 */
const MODE_SWITCHES = ['enter_plan_mode', 'exit_plan_mode'].map((tool) => {
  return `[[rule]]\ntoolName = ${quote(tool)}\ndecision = "deny"\npriority = ${SWITCH_PRIORITY}\n${GUARDED_MODES}\n`;
});

/**
 * Makes a warm CLI ask for every command that no rule allows. Without this rule the CLI runs commands that it considers
 * harmless (`ls`, `echo`) without a question. The pattern keeps the CLI from applying that judgement.
 */
const ASK_FOR_COMMANDS = `[[rule]]\ntoolName = "run_shell_command"\nargsPattern = ${quote('"command":')}\ndecision = "ask_user"\npriority = ${ASK_PRIORITY}\nmodes = ["default", "autoEdit"]\n`;

function renderRule(rule: ToolRule, decision: 'allow' | 'deny', priority: number): string {
  const lines = ['[[rule]]', `toolName = ${quote(rule.tool)}`];
  if (rule.commandPrefix !== undefined) lines.push(`commandPrefix = ${quote(rule.commandPrefix)}`);
  lines.push(`decision = "${decision}"`, `priority = ${priority}`);
  // Without this key the CLI asks for a command with a redirection, although a rule allows the command.
  if (decision === 'allow' && isShellRule(rule) && rule.allowsRedirection) {
    lines.push('allowRedirection = true');
  }
  return `${lines.join('\n')}\n`;
}

/** Renders a TOML string. Every JSON string is a valid TOML string. */
function quote(text: string): string {
  return JSON.stringify(text);
}
