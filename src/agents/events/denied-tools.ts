import type { DeniedTool } from '../../api/tool.js';
import type { ToolInvocationEvent } from '../../api/tool-event.js';
import { isShellRule, renderToolRule, type ToolRule } from '../../config/tool-rule.js';
import { findGeminiTool, isMcpTool } from '../gemini/gemini-tools.js';
import { forbidsCall, isEditingKind } from './match-tool-rule.js';
import { findCommandRules } from './shell-rules.js';
import type { ToolCall } from './turn-fold.js';

/** Settings that were in force when the calls were refused, as far as they are known. */
export interface DenialSettings {
  readonly deniedTools?: readonly ToolRule[] | undefined;
  /** True for a path that the agent may not change. */
  readonly isProtected?: ((path: string) => boolean) | undefined;
  /** True for another agent than the Gemini CLI: a name in the table of Gemini tools then means another tool. */
  readonly isOtherAgent?: boolean | undefined;
}

const REASONS: Readonly<Record<string, DeniedTool['reason']>> = {
  tool_not_registered: 'not_registered',
  policy_violation: 'policy',
  permission_rejected: 'permission',
};
/** Message of a headless CLI that would have to ask: it has no error type of its own for this refusal. */
const UNANSWERABLE = /requires user confirmation, which is not supported/;

/** Message of a headless CLI for `package.json`, `Makefile` and others: neither a rule nor another mode than yolo allows them. */
const BUILD_FILE = /Modifying build configuration files requires/;

/** Tools that change the mode of the CLI. The policy file of a step refuses them. */
const MODE_SWITCHES: ReadonlySet<string> = new Set(['enter_plan_mode', 'exit_plan_mode']);

type RefusedCall = Pick<ToolCall, 'name' | 'kind' | 'input' | 'error'>;

/** Lists the refused calls, each with the setting that would allow it. */
export function findDeniedTools(
  calls: readonly ToolCall[],
  settings: DenialSettings = {},
): DeniedTool[] {
  return calls.flatMap((call) => {
    const reason = reasonOf(call, settings);
    if (call.error === undefined || reason === undefined) return [];
    return {
      tool: call.name,
      toolId: call.id,
      reason,
      message: call.error.message,
      hint: hintForTool(call, settings),
    };
  });
}

/** Message of the CLI for a path that its own check refuses. For other paths than protected ones it is a plain error. */
const REFUSED_PATH = /^Path not in workspace/;

function reasonOf(call: ToolCall, settings: DenialSettings): DeniedTool['reason'] | undefined {
  if (call.error === undefined) return undefined;
  const { type, message } = call.error;
  if (UNANSWERABLE.test(message)) return 'policy';
  if (REFUSED_PATH.test(message) && findProtectedPath(call, settings) !== undefined)
    return 'policy';
  return REASONS[type];
}

/** Returns the protected path that an edit names. */
function findProtectedPath(
  { kind, input }: RefusedCall,
  { isProtected }: DenialSettings,
): string | undefined {
  const path = input['file_path'];
  return typeof path === 'string' && isEditingKind(kind) && isProtected?.(path) ? path : undefined;
}

/** Returns the setting that would allow a call which the permission policy refused over ACP. */
export function hintForRefusal(
  { toolName, kind, input }: Pick<ToolInvocationEvent, 'toolName' | 'kind' | 'input'>,
  settings: DenialSettings,
): string {
  const error = { type: 'permission_rejected', message: '' };
  return hintForTool({ name: toolName, kind, input, error }, settings);
}

/** The setting that would allow a call, or why none does. */
function hintForTool(call: RefusedCall, settings: DenialSettings): string {
  const { name } = call;
  const rule = settings.deniedTools?.find((denied) => hasRefused(denied, call));
  if (rule !== undefined) return `Remove ${renderToolRule(rule)} from deniedTools.`;
  const path = findProtectedPath(call, settings);
  if (path !== undefined) {
    return `${path} is protected: take the path out of protectedPaths, or add "!${path}" to it.`;
  }
  if (MODE_SWITCHES.has(name) && !settings.isOtherAgent) {
    return `No setting allows ${name}: a headless CLI that leaves the plan mode would continue in the mode yolo.`;
  }
  if (BUILD_FILE.test(call.error?.message ?? '')) {
    return 'The headless CLI changes build files in no other mode: set approvalMode: "yolo" or transport: "acp".';
  }
  const facts = findGeminiTool(name);
  const isRejected = call.error?.type === 'permission_rejected';
  if (isRejected && (facts === undefined || settings.isOtherAgent)) {
    const mode = isEditingKind(call.kind) ? 'auto_edit' : 'yolo';
    return `Set allowedTools: ["${name}"] or approvalMode: "${mode}", or decide in onPermission.`;
  }
  if (facts === undefined && !isMcpTool(name)) {
    return `No setting allows ${name}: the CLI has no tool of this name.`;
  }
  if (facts?.offeredFrom === 'never') {
    return `No setting allows ${name}: CLI 0.61 does not offer this tool in headless mode.`;
  }
  if (facts?.needs !== undefined && call.error?.type === 'tool_not_registered') {
    return `The CLI offers ${name} only with ${facts.needs}.`;
  }
  const { rules: found, redirects } = findRules(call);
  const rules = found.map((allowed) => `"${allowed}"`);
  const allowed = `allowedTools: [${rules.join(', ')}]`;
  const allowing = redirects ? `${allowed} and allowRedirection: true` : allowed;
  if (facts?.offeredFrom === 'default') {
    return `A policy or a hook refuses ${name}: check the policy files and hooks, or set ${allowing}.`;
  }
  const mode = `approvalMode: "${facts?.offeredFrom ?? 'yolo'}"`;
  return rules.length === 0 ? `Set ${mode}.` : `Set ${allowing} or ${mode}.`;
}

/** True if the rule caused the refusal of the call. */
function hasRefused(rule: ToolRule, call: RefusedCall): boolean {
  const type = call.error?.type;
  // A rule with a command prefix does not remove the tool itself.
  if (type === 'tool_not_registered' && rule.commandPrefix !== undefined) return false;
  if (type === 'permission_rejected') return forbidsCall(rule, call);
  // An unknown command does not tell if the CLI refused it by this prefix.
  if (rule.commandPrefix !== undefined && typeof call.input['command'] !== 'string') return false;
  // The CLI's own policy matches names, and shell rules by kind. Other rules by kind are the provider's.
  const { name, kind, input } = call;
  return forbidsCall(rule, isShellRule(rule) ? { name, kind, input } : { name, input });
}

/** Returns the narrowest rules for `allowedTools` that allow the call; empty if no rule is enough. */
function findRules({ name, input }: RefusedCall): {
  readonly rules: readonly string[];
  readonly redirects?: boolean | undefined;
} {
  const command = input['command'];
  if (name !== 'run_shell_command' || typeof command !== 'string') return { rules: [name] };
  const { prefixes, isAllowedByTool, redirects } = findCommandRules(command);
  if (prefixes !== undefined) {
    return { rules: prefixes.map((words) => `${name}(${words})`), redirects };
  }
  return { rules: isAllowedByTool ? [name] : [] };
}
