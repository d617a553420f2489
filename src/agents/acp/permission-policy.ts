import type { Unattended } from '../../api/acp-options.js';
import type { PermissionDecision, PermissionOption } from '../../api/agent-event.js';
import type { Logger } from '../../api/logger.js';
import type { OnPermission, PermissionAnswer, PermissionRequest } from '../../api/permission.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import { messageOf } from '../../base/errors/message-of.js';
import { isObject } from '../../base/json/is-object.js';
import { answersWithin } from '../../base/process/timing.js';
import { showValue } from '../../config/config-problem.js';
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
  /** Gets the reason if an answer of `onPermission` cannot be used. */
  readonly logger?: Logger | undefined;
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
 * Returns the answer of `onPermission`, or the decision of the rules if the caller set no `onPermission`. A late, failed or
 * invalid answer of `onPermission` rejects the call. `onPermission` cannot allow a change of a protected path, and is not
 * asked about edits that the mode `auto_edit` allows.
 */
export async function decidePermission(
  asked: Asked,
  settings: PermissionSettings,
  profile: AgentProfile,
): Promise<PermissionAnswer> {
  const suggested = decideByRules(asked, settings, profile);
  const { onPermission, permissionTimeoutMs, logger } = settings;
  if (onPermission === undefined || changesProtectedPath(asked, settings)) return suggested;
  const isPlainEdit = settings.approvalMode === 'auto_edit' && isEditingKind(asked.kind);
  if (profile.asksForEdits && isPlainEdit && suggested === 'allow_once') return suggested;
  let problem = 'No answer within permissionTimeout';
  const answer = await answersWithin(async () => {
    try {
      const given: unknown = await onPermission({ ...asked, suggested });
      problem = `${showValue(given)} is neither a decision nor an offered option`;
      return acceptAnswer(given, asked);
    } catch (error) {
      problem = messageOf(error);
      return undefined;
    }
  }, permissionTimeoutMs);
  if (answer === undefined) {
    const { callId, toolName: tool } = asked;
    logger?.warn({ callId, tool, problem }, 'onPermission gave no usable answer');
    return 'reject';
  }
  // After "always" for an edit, the Gemini CLI asks for no further edit, and allowed commands may redirect.
  const isAlways = decisionOf(answer, asked.options) === 'allow_always';
  return isAlways && profile.asksForEdits && isEditingKind(asked.kind) ? 'allow_once' : answer;
}

/** Returns a valid answer: a decision, or an option that the agent offers. */
function acceptAnswer(answer: unknown, { options }: Asked): PermissionAnswer | undefined {
  if (!isObject(answer)) return DECISIONS.find((decision) => decision === answer);
  const chosen = answer['optionId'];
  const option = options.find(({ optionId }) => optionId === chosen);
  return option && { optionId: option.optionId };
}

/** Returns the decision that an answer stands for. An option of an unknown kind allows nothing. */
export function decisionOf(
  answer: PermissionAnswer,
  options: readonly PermissionOption[],
): PermissionDecision {
  if (typeof answer === 'string') return answer;
  const kind = options.find(({ optionId }) => optionId === answer.optionId)?.kind;
  return kind === 'allow_once' || kind === 'allow_always' ? kind : 'reject';
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

/** Returns the option for the answer, or undefined if `cancelled` is the only possible answer. */
export function chooseOption(
  options: readonly WirePermissionOption[],
  answer: PermissionAnswer,
): WirePermissionOption | undefined {
  if (typeof answer !== 'string') {
    return options.find(({ optionId }) => optionId === answer.optionId);
  }
  for (const kind of KINDS[answer]) {
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
