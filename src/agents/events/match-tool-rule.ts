import type { ToolKind } from '../../api/tool.js';
import { isShellRule, type ToolRule } from '../../config/tool-rule.js';

/** Fields of a tool call that a rule can match. */
export interface RuledCall {
  readonly name: string;
  readonly kind?: ToolKind | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

const EDITING: ReadonlySet<ToolKind | undefined> = new Set(['edit', 'delete', 'move']);

/** True if the approval mode `auto_edit` allows tools of this kind. */
export function isEditingKind(kind: ToolKind | undefined): boolean {
  return EDITING.has(kind);
}

/** True if the rule names the tool (`*` matches any part of a name) or its kind (`edit`, `execute`). */
export function namesTool(rule: ToolRule, { name, kind }: Omit<RuledCall, 'input'>): boolean {
  if (rule.tool === kind || (isShellRule(rule) && kind === 'execute')) return true;
  const pattern = rule.tool.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*');
  // Some agents send a title with several lines as the name: `s` lets `.*` match newlines.
  return new RegExp(`^${pattern}$`, 's').test(name);
}

/**
 * True if a rule of `deniedTools` refuses the call. The permission policy decides by this function and the hint for
 * a refused tool names the rule by it, so both agree. An unknown command counts as forbidden.
 */
export function forbidsCall(rule: ToolRule, call: RuledCall): boolean {
  if (!namesTool(rule, call)) return false;
  if (rule.commandPrefix === undefined) return true;
  const command = call.input['command'];
  return typeof command !== 'string' || command.includes(rule.commandPrefix);
}
