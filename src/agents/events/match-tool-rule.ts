import type { ToolKind } from '../../api/tool.js';
import { isShellRule, type ToolRule } from '../../config/tool-rule.js';

/** A call as a rule sees it. */
export interface RuledCall {
  readonly name: string;
  readonly kind?: ToolKind | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

const EDITING: ReadonlySet<ToolKind | undefined> = new Set(['edit', 'delete', 'move']);

/** Whether `auto_edit` is the mode for tools of this kind. */
export function isEditingKind(kind: ToolKind | undefined): boolean {
  return EDITING.has(kind);
}

/** A rule names a tool, with `*` for any part of it, or a kind of tools (`edit`, `execute`). */
export function namesTool(rule: ToolRule, { name, kind }: Omit<RuledCall, 'input'>): boolean {
  if (rule.tool === kind || (isShellRule(rule) && kind === 'execute')) return true;
  const pattern = rule.tool.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*');
  // The name may be a title, with lines of its own.
  return new RegExp(`^${pattern}$`, 's').test(name);
}

/**
 * Whether a rule of `deniedTools` refuses the call. The permission policy decides by this function and the hint for
 * a refused tool names the rule by it, so both agree. An unknown command counts as forbidden.
 */
export function forbidsCall(rule: ToolRule, call: RuledCall): boolean {
  if (!namesTool(rule, call)) return false;
  if (rule.commandPrefix === undefined) return true;
  const command = call.input['command'];
  return typeof command !== 'string' || command.includes(rule.commandPrefix);
}
