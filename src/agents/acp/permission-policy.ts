import type { PermissionDecision } from '../../api/agent-event.js';
import type { OnPermission, PermissionRequest } from '../../api/permission.js';
import { answersWithin } from '../../base/process/timing.js';
import type { ApprovalMode, Unattended } from '../../config/provider-config.js';
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

/** What the rules say. Refusing rules first, then allowing ones, then the approval mode; else no. */
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

/** The caller's own decision, where there is one, in time and valid; else what the rules say. */
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

/** By their kind, never by their position: the first one is often "always". */
const KINDS: Readonly<Record<PermissionDecision, readonly string[]>> = {
  allow_once: ['allow_once', 'allow_always'],
  allow_always: ['allow_always', 'allow_once'],
  reject: ['reject_once', 'reject_always'],
  cancel: [],
};

/** The option that carries the decision, or undefined where `cancelled` is the only answer left. */
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

/** A command that joins, substitutes or redirects is more than its first words. */
const COMPOUND = /[;&|<>`$()\n\r\\]/;

function allows({ commandPrefix }: ToolRule, { input }: Asked): boolean {
  if (commandPrefix === undefined) return true;
  const command = input['command'];
  if (typeof command !== 'string' || COMPOUND.test(command)) return false;
  return command === commandPrefix || command.startsWith(`${commandPrefix} `);
}
