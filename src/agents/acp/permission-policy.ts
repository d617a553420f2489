import type { Unattended } from '../../api/acp-options.js';
import type { PermissionDecision } from '../../api/agent-event.js';
import type { OnPermission, PermissionRequest } from '../../api/permission.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import { answersWithin } from '../../base/process/timing.js';
import type { ToolRule } from '../../config/tool-rule.js';
import { forbidsCall, isEditingKind, namesTool } from '../events/match-tool-rule.js';
import { hasRedirection, removeRedirections } from '../events/shell-rules.js';
import type { WirePermissionOption } from './acp-wire.js';
import type { AgentProfile } from './profile.js';

export interface PermissionSettings {
  readonly approvalMode: ApprovalMode;
  readonly allowedTools: readonly ToolRule[];
  readonly deniedTools: readonly ToolRule[];
  readonly onPermission: OnPermission | undefined;
  readonly permissionTimeoutMs: number;
  readonly unattended: Unattended;
  /** True for a path that the agent may not change. */
  readonly isProtected?: ((path: string) => boolean) | undefined;
}

type Asked = Omit<PermissionRequest, 'suggested'>;

/**
 * Decides by `deniedTools`, then protected paths, then `allowedTools`, then the approval mode. Rejects if none of them
 * allows the call.
 */
export function decideByRules(
  asked: Asked,
  settings: PermissionSettings,
  profile: AgentProfile,
): PermissionDecision {
  const call = { ...asked, name: asked.toolName };
  if (settings.deniedTools.some((rule) => forbidsCall(rule, call))) return 'reject';
  if (changesProtectedPath(asked, settings)) return 'reject';
  const isAllowing = (rule: ToolRule): boolean => {
    if (rule.commandPrefix !== undefined && profile.holdsCommandRules) return false;
    return namesTool(rule, call) && allows(rule, asked);
  };
  if (settings.allowedTools.some(isAllowing)) {
    return 'allow_once';
  }
  const isAllowed = profile.isAllowedByMode(settings.approvalMode, asked.toolName, asked.kind);
  return isAllowed ? 'allow_once' : 'reject';
}

/**
 * Returns the decision of `onPermission`, or the decision of the rules if the caller set no `onPermission`. A late,
 * failed or invalid answer of `onPermission` rejects the call. `onPermission` cannot allow a change of a protected path, and is not asked about edits that the mode
 * `auto_edit` allows.
 */
export async function decidePermission(
  asked: Asked,
  settings: PermissionSettings,
  profile: AgentProfile,
): Promise<PermissionDecision> {
  const suggested = decideByRules(asked, settings, profile);
  const { onPermission, permissionTimeoutMs } = settings;
  if (onPermission === undefined || changesProtectedPath(asked, settings)) return suggested;
  const isPlainEdit = settings.approvalMode === 'auto_edit' && isEditingKind(asked.kind);
  if (profile.asksForEdits && isPlainEdit && suggested === 'allow_once') return suggested;
  const answer = await answersWithin(
    async () => onPermission({ ...asked, suggested }),
    permissionTimeoutMs,
  );
  if (answer === undefined || !DECISIONS.includes(answer)) return 'reject';
  // After "always" for an edit, the Gemini CLI asks for no further edit, and allowed commands may redirect.
  const isOnce = answer === 'allow_always' && profile.asksForEdits && isEditingKind(asked.kind);
  return isOnce ? 'allow_once' : answer;
}

/** Arguments in which tools of various agents name the file that they change. */
const PATH_KEYS = ['file_path', 'path', 'filePath', 'absolute_path', 'notebook_path'];

function changesProtectedPath(
  { kind, input, locations }: Asked,
  { isProtected }: PermissionSettings,
): boolean {
  if (isProtected === undefined || !isEditingKind(kind)) return false;
  const named = PATH_KEYS.map((key) => input[key]).filter((path) => typeof path === 'string');
  return [...locations, ...named].some(isProtected);
}

const DECISIONS: readonly PermissionDecision[] = ['allow_once', 'allow_always', 'reject', 'cancel'];

/**
 * Kinds of options for each decision, best first. The position of an option means nothing: the first is often
 * "always".
 */
const KINDS: Readonly<Record<PermissionDecision, readonly string[]>> = {
  allow_once: ['allow_once', 'allow_always'],
  allow_always: ['allow_always', 'allow_once'],
  reject: ['reject_once', 'reject_always'],
  cancel: [],
};

/** Returns the option for the decision, or undefined if `cancelled` is the only possible answer. */
export function chooseOption(
  options: readonly WirePermissionOption[],
  decision: PermissionDecision,
): WirePermissionOption | undefined {
  for (const kind of KINDS[decision]) {
    const option = options.find((offered) => offered.kind === kind);
    if (option !== undefined) return option;
  }
  return undefined;
}

/**
 * Characters of compound commands. A rule for the first words must not allow a command that joins, substitutes or
 * redirects.
 */
const COMPOUND = /[;&|<>`$()\n\r\\]/;

/** Characters that can start another command inside of quotes or in the target of a redirection. */
const SUBSTITUTING = /[`$\n\r\\]/;

function allows({ commandPrefix, allowsRedirection }: ToolRule, { input }: Asked): boolean {
  const command = input['command'];
  if (commandPrefix === undefined) {
    const isRefused = allowsRedirection === false && typeof command === 'string';
    return !(isRefused && hasRedirection(command));
  }
  if (typeof command !== 'string') return false;
  const isCompound = allowsRedirection
    ? SUBSTITUTING.test(command) || COMPOUND.test(removeRedirections(command))
    : COMPOUND.test(command);
  if (isCompound) return false;
  return command === commandPrefix || command.startsWith(`${commandPrefix} `);
}
