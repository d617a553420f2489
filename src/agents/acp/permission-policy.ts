import type { PermissionDecision } from '../../api/agent-event.js';
import type { OnPermission, PermissionRequest } from '../../api/permission.js';
import { answersWithin } from '../../base/process/timing.js';
import type { Unattended } from '../../config/acp-options.js';
import type { ApprovalMode } from '../../config/provider-config.js';
import type { ToolRule } from '../../config/tool-rule.js';
import { forbidsCall, namesTool } from '../events/match-tool-rule.js';
import type { WirePermissionOption } from './acp-wire.js';
import type { AgentProfile } from './profile.js';

export interface PermissionSettings {
  readonly approvalMode: ApprovalMode;
  readonly allowedTools: readonly ToolRule[];
  readonly deniedTools: readonly ToolRule[];
  readonly onPermission: OnPermission | undefined;
  readonly permissionTimeoutMs: number;
  readonly unattended: Unattended;
}

type Asked = Omit<PermissionRequest, 'suggested'>;

/** Decides by `deniedTools`, then `allowedTools`, then the approval mode. Rejects if none of them allows the call. */
export function decideByRules(
  asked: Asked,
  settings: PermissionSettings,
  profile: AgentProfile,
): PermissionDecision {
  const call = { ...asked, name: asked.toolName };
  if (settings.deniedTools.some((rule) => forbidsCall(rule, call))) return 'reject';
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
 * failed or invalid answer of `onPermission` rejects the call.
 */
export async function decidePermission(
  asked: Asked,
  settings: PermissionSettings,
  profile: AgentProfile,
): Promise<PermissionDecision> {
  const suggested = decideByRules(asked, settings, profile);
  const { onPermission, permissionTimeoutMs } = settings;
  if (onPermission === undefined) return suggested;
  const answer = await answersWithin(
    async () => onPermission({ ...asked, suggested }),
    permissionTimeoutMs,
  );
  return answer !== undefined && DECISIONS.includes(answer) ? answer : 'reject';
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

function allows({ commandPrefix }: ToolRule, { input }: Asked): boolean {
  if (commandPrefix === undefined) return true;
  const command = input['command'];
  if (typeof command !== 'string' || COMPOUND.test(command)) return false;
  return command === commandPrefix || command.startsWith(`${commandPrefix} `);
}
