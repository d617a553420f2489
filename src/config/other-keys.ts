import { nearestName } from '../base/text/nearest-name.js';
import { CONFIG_KEYS } from './schema.js';

interface OtherKey {
  /** Key of this package that means the same. */
  readonly key: string;
  /** Set if the key restricts what the agent may do: a step that ignored it would do what the caller has forbidden. */
  readonly isRefused?: boolean;
  /** What to write instead, if the value has another form. */
  readonly advice?: string;
}

const MODES =
  'use approvalMode: "default" for default, "auto_edit" for acceptEdits, "yolo" for bypassPermissions, "plan" for plan';

/** Keys of other tools, by their name without case, `_` and `-`. */
const OTHER_KEYS: Readonly<Record<string, OtherKey>> = {
  permissionmode: { key: 'approvalMode', isRefused: true, advice: MODES },
  permissions: { key: 'allowedTools', isRefused: true, advice: 'use allowedTools and deniedTools' },
  disallowedtools: { key: 'deniedTools', isRefused: true, advice: 'use deniedTools' },
  excludetools: { key: 'deniedTools', isRefused: true, advice: 'use deniedTools' },
  coretools: { key: 'allowedTools', isRefused: true, advice: 'use allowedTools and deniedTools' },
  readonly: { key: 'approvalMode', isRefused: true, advice: 'use approvalMode: "plan"' },
  yolo: { key: 'approvalMode', isRefused: true, advice: 'use approvalMode: "yolo"' },
  cwd: { key: 'workingDir' },
  dir: { key: 'workingDir' },
  workingdirectory: { key: 'workingDir' },
  timeoutms: { key: 'timeout' },
  timeoutseconds: { key: 'timeout' },
  args: { key: 'extraArgs' },
  environment: { key: 'env' },
  adddirs: { key: 'includeDirectories' },
  additionaldirectories: { key: 'includeDirectories' },
  continue: { key: 'resume' },
  appendsystemprompt: { key: 'systemPrompt' },
  canusetool: { key: 'onPermission' },
};

function findOtherKey(spelling: string): OtherKey | undefined {
  const bare = spelling.replaceAll(/[_-]/g, '').toLowerCase();
  return Object.hasOwn(OTHER_KEYS, bare) ? OTHER_KEYS[bare] : undefined;
}

/** Returns the known key that an unknown one most likely means, or undefined. */
export function nearestConfigKey(spelling: string): string | undefined {
  return findOtherKey(spelling)?.key ?? nearestName(spelling, CONFIG_KEYS);
}

/**
 * Returns the problem of an unknown key that must not be ignored, because it restricts the agent in other tools.
 * Returns undefined for all others.
 */
export function findRefusedKey(spelling: string): string | undefined {
  const other = findOtherKey(spelling);
  return other?.isRefused === true ? `is not a key of this package: ${other.advice}` : undefined;
}
